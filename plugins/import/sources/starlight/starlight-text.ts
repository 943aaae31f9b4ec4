/** Markdown and MDX of Starlight: its components become Markdown of this project. */
import { calloutOf, containerLines } from "../../text/containers.js";
import { fencedCode, hideCode } from "../../text/hidden-code.js";
import {
  attributeOf,
  leftOut,
  mdxText,
  type ShowComponent,
  withoutComponents,
} from "../../text/mdx-text.js";
import { badge } from "../vitepress/vue-text.js";

const DIRECTIVE =
  /^([ \t]*:{3,})(note|tip|caution|danger)(?:[ \t]*\[([^\]\n]*)\])?[ \t]*(?:\{[^}\n]*\})?[ \t]*$/gm;
/** The title or file name of a code block as its first line. */
const IMPORTED =
  /^import\s+([A-Za-z_$][\w$]{0,100})\s+from\s+["']([^"'\n]{1,500}\.(?:png|jpe?g|webp|gif|svg|avif))["'];?[ \t]*$/gm;
/** `~/assets/x.png`, `@/assets/x.png` and `@assets/x.png`: usual short forms of `src/assets/x.png`. */
export const ALIAS = /^(?:[~@]\/|@(?=assets\/|images\/))/;
const ALIASED = /(\]\(<?|\bsrc=["'])([~@]\/|@(?=assets\/|images\/))/g;
const EXPRESSION = /(?<![$\\{=])\{(?!\/\*|#)([^{}\n]{1,200})\}(?!\})/g;

/** The text with Markdown for the components of Starlight, and what was lost. */
export function starlightText(
  body: string,
  format: "md" | "mdx",
): { text: string; notes: string[] } {
  const names = new Map<string, boolean>();
  const notes = new Set<string>();
  const { text, restore } = hideCode(body.replaceAll("\r\n", "\n"));
  const images = new Map<string, string>();
  for (const [, name = "", from = ""] of text.matchAll(IMPORTED)) images.set(name, from);
  const plain =
    format === "md" ? text : withoutComponents(text, names, components(restore, images));
  const known = plain
    .replaceAll(ALIASED, "$1/")
    .replaceAll(
      DIRECTIVE,
      (_, colons: string, kind: string, title?: string) =>
        `${colons} ${kind}${title === undefined ? "" : ` ${title}`}`,
    );
  const rest = mdxText(restore(known), format);
  if (format === "mdx") {
    for (const [, inner = ""] of hideCode(rest.text).text.matchAll(EXPRESSION))
      notes.add(`the expression {${inner.trim().slice(0, 60)}} stays as text`);
  }
  return { text: rest.text, notes: [...rest.notes, ...leftOut(names), ...notes] };
}

function components(
  restore: (text: string) => string,
  images: ReadonlyMap<string, string>,
): Readonly<Record<string, ShowComponent>> {
  return {
    Aside: ({ tag, text }) => {
      const title = attributeOf(tag, "title") ?? "";
      return block(
        containerLines({
          name: calloutOf(attributeOf(tag, "type") ?? "note"),
          title,
          lines: text.split("\n"),
        }),
      );
    },
    Steps: ({ text }) => block([text.trim()]),
    CardGrid: ({ text }) => block([text.trim()]),
    Card: ({ tag, text }) => card(attributeOf(tag, "title") ?? "", null, text),
    LinkCard: ({ tag }) =>
      card(
        attributeOf(tag, "title") ?? "",
        attributeOf(tag, "href"),
        attributeOf(tag, "description") ?? "",
      ),
    LinkButton: ({ tag, text }) => `[${text.trim()}](${attributeOf(tag, "href") ?? "#"})`,
    Badge: ({ tag, text }) => badge(attributeOf(tag, "text") ?? text),
    FileTree: ({ text }) => block([fencedCode("text", fileTree(restore(text)))]),
    Code: ({ tag }) => {
      const code = attributeOf(restore(tag), "code");
      const title = attributeOf(tag, "title");
      if (code === null) return null;
      const info = [
        attributeOf(tag, "lang") ?? "",
        ...(title === null ? [] : [`title="${title}"`]),
      ];
      return block([fencedCode(info.join(" "), code.replaceAll("\\n", "\n"))]);
    },
    Icon: () => "",
    Image: ({ tag }) => picture(tag, images),
    Picture: ({ tag }) => picture(tag, images),
  };
}

/** Lines as a block of their own. */
function block(lines: readonly string[]): string {
  return `\n${lines.join("\n")}\n`;
}

function card(title: string, href: string | null, text: string): string {
  const name = href === null ? `**${title}**` : `**[${title}](${href})**`;
  const content = text.trim();
  return block([title === "" ? "" : name, ...(content === "" ? [] : ["", content])]);
}

/** A picture that the page imports by name, or names by its address. */
function picture(tag: string, images: ReadonlyMap<string, string>): string | null {
  const name = /\ssrc=\{\s*([\w$]+)\s*\}/.exec(tag)?.[1];
  const src = attributeOf(tag, "src") ?? (name === undefined ? undefined : images.get(name));
  return src === undefined ? null : `![${attributeOf(tag, "alt") ?? ""}](${src})`;
}

/** The list of files as text: bold marks and the dashes of the list go. */
function fileTree(text: string): string {
  return text
    .replace(/^\n+|(?<!\s)\s+$/g, "")
    .split("\n")
    .map((line) => line.replace(/^([ \t]*)[-*+][ \t]+/, "$1").replaceAll(/\*\*([^*]+)\*\*/g, "$1"))
    .join("\n");
}
