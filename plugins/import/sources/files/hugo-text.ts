/** Shortcodes of Hugo: those with a counterpart become Markdown, the others stay as text and are reported. */
import { embedAddress } from "../../text/embed-address.js";
import { outsideCode } from "./mdx-text.js";

const REFERENCE = /\{\{[<%]\s*(?:rel)?ref\s+(?:"([^"]*)"|`([^`]*)`|([^\s>%]+))[^>%]*[>%]\}\}/g;
const FIGURE = /\{\{[<%]\s*(?:figure|img|image)\s([^]*?)\/?\s*[>%]\}\}/g;
const PLAYER = /\{\{[<%]\s*(youtube|vimeo)\s+(?:id=)?"?([\w-]+)"?[^]*?[>%]\}\}/g;
const HIGHLIGHT =
  /\{\{[<%]\s*highlight\s+"?([\w+-]+)"?[^>%]*[>%]\}\}\n?([^]*?)\n?\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g;
const NOTICE =
  /^\{\{[<%]\s*(note|tip|warning|info|danger|caution|important|notice|hint|callout|alert|admonition)\b([^>%\n]*)[>%]\}\}[ \t]*\n?([^]*?)\n?\{\{[<%]\s*\/\s*\1\s*[>%]\}\}/gm;
const OTHER = /\{\{([<%])\s*\/?\s*([\w/.-]+)[^]*?\1?[>%]\}\}/g;
const KINDS: ReadonlySet<string> = new Set([
  "note",
  "tip",
  "warning",
  "info",
  "danger",
  "caution",
  "important",
]);

/** The text with Markdown for known shortcodes. */
export function hugoText(body: string): { text: string; notes: string[] } {
  const names = new Set<string>();
  const listed = body.replaceAll(
    HIGHLIGHT,
    (_, language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``,
  );
  const text = outsideCode(listed, (part) =>
    known(part).replaceAll(OTHER, (whole: string, _mark: string, name: string) => {
      names.add(name.replace(/^\//, ""));
      return `\\${whole}`;
    }),
  );
  return { text, notes: [...names].map((name) => `shortcode {{< ${name} >}} stays as text`) };
}

/** Markdown for the shortcodes that have a counterpart. */
function known(text: string): string {
  return text
    .replaceAll(
      REFERENCE,
      (_, ...[double, back, bare]: (string | undefined)[]) => double ?? back ?? bare ?? "",
    )
    .replaceAll(FIGURE, (whole: string, given: string) => figure(given) ?? whole)
    .replaceAll(PLAYER, (_, kind: string, id: string) => player(kind, id))
    .replaceAll(NOTICE, (_, ...[name = "", given = "", inner = ""]: string[]) =>
      notice(name, given, inner),
    )
    .replaceAll(/<!--\s*more\s*-->\n?/gi, "");
}

function figure(given: string): string | null {
  const values = new Map(
    [...given.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|`([^`]*)`)/g)].map(([, key = "", one, two]) => [
      key,
      one ?? two ?? "",
    ]),
  );
  const src = values.get("src");
  if (src === undefined) return null;
  const caption = (values.get("caption") ?? values.get("title") ?? "")
    .replaceAll('"', "'")
    .replaceAll(/\s+/g, " ");
  const alt = (values.get("alt") ?? "").replaceAll(/[[\]]/g, "");
  const address = /\s/.test(src) ? `<${src}>` : src;
  return `![${alt}](${address}${caption === "" ? "" : ` "${caption}"`})`;
}

function player(kind: string, id: string): string {
  const src =
    kind === "vimeo" ? `https://vimeo.com/${id}` : `https://www.youtube.com/watch?v=${id}`;
  return `\n${embedAddress(src) ?? src}\n`;
}

function notice(name: string, given: string, inner: string): string {
  const words = given.toLowerCase().match(/[a-z]+/g) ?? [];
  const kind = KINDS.has(name) ? name : (words.find((word) => KINDS.has(word)) ?? "note");
  const title = /title\s*=\s*"([^"\n]*)"/.exec(given)?.[1] ?? "";
  return `::: ${kind}${title === "" ? "" : ` ${title}`}\n${inner.trim()}\n:::`;
}
