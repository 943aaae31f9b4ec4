/** Shortcodes of Hugo in Markdown: known ones become Markdown, others stay as text and are reported. */
import { type Find, replaceMarks } from "#lib/text";
import { isRecord } from "#lib/values";
import { embedAddress } from "../../text/markdown-text.js";
import { fencedCode, outsideCode } from "../../text/hidden-code.js";

const REFERENCE = /\{\{[<%]\s*(?:rel)?ref\s/g;
const FIGURE = /\{\{[<%]\s*(?:figure|img|image)\s/g;
const PLAYER = /\{\{[<%]\s*(youtube|vimeo)\s+(?:id=)?"?([\w-]{1,200})"?/g;
const HIGHLIGHT = /\{\{[<%]\s*highlight\s+"?([\w+#.-]{1,100})"?/g;
const NOTICE =
  /^\{\{[<%]\s*(note|tip|warning|info|danger|caution|important|notice|hint|callout|alert|admonition)\b/gm;
const OTHER = /\{\{[<%]\s*\/?\s*([\w/.-]{1,200})/g;
const PARAM = /\{\{[<%]\s*param\s+(?:"([\w.-]{1,100})"|([\w.-]{1,100}))\s*[>%]\}\}/g;
const DEFINITION = /(?:^|\n) {0,3}\[[^\]\n]+\]:[ \t]*\S*$/;
const MAX_ADDRESS = 1_000;
const TAG_END = /[>%]\}\}/g;
const KINDS: ReadonlySet<string> = new Set([
  "note",
  "tip",
  "warning",
  "info",
  "danger",
  "caution",
  "important",
]);

/**
 * The text with Markdown for known shortcodes. `params`: the front matter and the parameters of the site, whose plain
 * values stand for `{{< param name >}}`.
 */
export function hugoText(
  written: string,
  params: readonly Readonly<Record<string, unknown>>[] = [],
): { text: string; notes: string[] } {
  const names = new Set<string>();
  const body = written.replaceAll(
    PARAM,
    (whole, one?: string, other?: string) => valueOf(params, one ?? other ?? "") ?? whole,
  );
  const listed = replaceMarks(body, HIGHLIGHT, (opening, find) => {
    const content = findContent(body, opening, "highlight", find);
    if (content === null) return null;
    const code = content.inner.replace(/^\n/, "").replace(/\n$/, "");
    return { text: fencedCode(opening[1] ?? "", code), end: content.end };
  });
  const text = outsideCode(listed, (part) => {
    const plain = translateKnown(part);
    return replaceMarks(plain, OTHER, ({ index, 1: name = "" }, find) => {
      const end = find(TAG_END, index)?.end;
      if (end === undefined) return null;
      names.add(name.replace(/^\//, ""));
      const shown = plain.slice(index, end);
      // A space would end the address of a definition, and all definitions after it.
      const isAddress = DEFINITION.test(plain.slice(Math.max(0, index - MAX_ADDRESS), index));
      return { text: isAddress ? shown.replaceAll(/\s/g, "%20") : `\\${shown}`, end };
    });
  });
  return { text, notes: [...names].map((name) => `shortcode {{< ${name} >}} stays as text`) };
}

/** The plain value of a parameter, in the first map that has it; names are found in any case. */
function valueOf(
  params: readonly Readonly<Record<string, unknown>>[],
  path: string,
): string | null {
  for (const map of params) {
    let value: unknown = map;
    for (const name of path.toLowerCase().split(".")) {
      const entry = isRecord(value)
        ? Object.entries(value).find(([key]) => key.toLowerCase() === name)
        : undefined;
      value = entry?.[1];
    }
    if (typeof value === "string" || typeof value === "number") return String(value);
  }
  return null;
}

/** Markdown for the shortcodes that have a counterpart. */
function translateKnown(text: string): string {
  let result = replaceTags(text, REFERENCE, reference);
  result = replaceTags(result, FIGURE, figure);
  result = replaceTags(result, PLAYER, (_, [, kind = "", id = ""]) => player(kind, id));
  result = replaceNotices(result);
  return result.replaceAll(/<!--\s*more\s*-->\n?/gi, "");
}

/** Replaces shortcodes without content. `args`: the text after the opening; null leaves a shortcode. */
function replaceTags(
  text: string,
  opening: RegExp,
  replace: (args: string, opening: RegExpExecArray) => string | null,
): string {
  return replaceMarks(text, opening, (match, find) => {
    const from = match.index + match[0].length;
    const close = find(TAG_END, from);
    if (close === null) return null;
    const end = close.end;
    const replaced = replace(text.slice(from, close.start), match);
    return { text: replaced ?? text.slice(match.index, end), end };
  });
}

function replaceNotices(text: string): string {
  return replaceMarks(text, NOTICE, (opening, find) => {
    const [, name = ""] = opening;
    const content = findContent(text, opening, name, find);
    if (content === null || content.args.includes("\n")) return null;
    return { text: notice(name, content.args, content.inner), end: content.end };
  });
}

/** The arguments and the content of a shortcode; null without its end. */
function findContent(
  text: string,
  { index, 0: head }: RegExpExecArray,
  name: string,
  find: Find,
): { args: string; inner: string; end: number } | null {
  const ending = new RegExp(`\\{\\{[<%]\\s*/\\s*${name}\\s*[>%]\\}\\}`, "g");
  if (find(ending, index) === null) return null;
  const close = find(TAG_END, index + head.length);
  const end = close === null ? null : find(ending, close.end);
  if (close === null || end === null) return null;
  const args = text.slice(index + head.length, close.start);
  return { args, inner: text.slice(close.end, end.start), end: end.end };
}

function reference(args: string): string | null {
  const [, double, back, bare] = /^\s*(?:"([^"]*)"|`([^`]*)`|([^\s>%]+))/.exec(args) ?? [];
  return double ?? back ?? bare ?? null;
}

function figure(args: string): string | null {
  const values = new Map(
    [...args.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|`([^`]*)`)/g)].map(
      ([, key = "", one, two]) => [key, one ?? two ?? ""],
    ),
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

function notice(name: string, args: string, inner: string): string {
  const words = args.toLowerCase().match(/[a-z]+/g) ?? [];
  const kind = KINDS.has(name) ? name : (words.find((word) => KINDS.has(word)) ?? "note");
  const title = /title\s*=\s*"([^"\n]*)"/.exec(args)?.[1] ?? "";
  return `::: ${kind}${title === "" ? "" : ` ${title}`}\n${inner.trim()}\n:::`;
}
