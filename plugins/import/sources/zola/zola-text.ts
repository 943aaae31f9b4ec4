/** Markdown of Zola: shortcodes with a counterpart become Markdown, others stay as comments and are reported. */
import { replaceMarks } from "#lib/text";
import { embedAddress } from "../../text/markdown-text.js";
import { calloutOf, containerLines, isCallout } from "../../text/containers.js";
import { fencedCode, hideCode } from "../../text/hidden-code.js";
import { commentsLast, isInComment, templateComment } from "../../text/template-comments.js";

const INTERNAL = /(\]\(<?|^[ \t]{0,3}\[[^\]\n]{1,300}\]:[ \t]*<?|\bhref=["'])@\/+/gm;
const MORE = /<!--\s*more\s*-->\n?/gi;
const BODY = /\{%\s*([\w:]{1,100})\s*\(/g;
const INLINE = /\{\{\s*([\w:]{1,100})\s*\(/g;
const END = /\{%\s*end\s*%\}/g;
const TAG_END = /\)\s*%\}/g;
const INLINE_END = /\)\s*\}\}/g;
const ESCAPED = /\{(\{|%)\/\*([^]{0,2000}?)\*\/(\}|%)\}/g;
const FENCE =
  /^([ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:`{3,}|~{3,})[ \t]*[\w+#.-]*),([^`\n]*)$/gm;
const ARGUMENT =
  /(\w{1,60})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`|([\w.-]+))/g;

/** The text with Markdown for known shortcodes, and what was lost. */
export function zolaText(body: string): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const { text, restore } = hideCode(body.replaceAll("\r\n", "\n").replaceAll(FENCE, plainFence));
  const linked = text.replaceAll(INTERNAL, "$1/").replaceAll(MORE, "");
  const blocks = replaceMarks(linked, BODY, ({ index, 0: head, 1: name = "" }, find) => {
    const open = find(TAG_END, index + head.length);
    const end = open === null ? null : find(END, open.end);
    if (open === null || end === null) return null;
    const shown = block(
      name,
      readArguments(linked.slice(index + head.length, open.start)),
      restore(linked.slice(open.end, end.start)),
    );
    if (shown !== null) return { text: shown, end: end.end };
    const [first, last] = [
      templateComment(linked, index, open.end),
      templateComment(linked, end.start, end.end),
    ];
    const form = first === null || last === null ? "text" : "comments, its content stays";
    notes.add(`shortcode {% ${name}() %} stays as ${form}`);
    if (first === null || last === null) return null;
    return { text: first + linked.slice(open.end, end.start) + last, end: end.end };
  });
  const plain = replaceMarks(blocks, INLINE, ({ index, 0: head, 1: name = "" }, find) => {
    const end = find(INLINE_END, index + head.length);
    if (end === null) return null;
    const shown = inline(name, readArguments(blocks.slice(index + head.length, end.start)));
    if (shown !== null) return { text: shown, end: end.end };
    const comment = isInComment(blocks, index) ? null : templateComment(blocks, index, end.end);
    notes.add(`shortcode {{ ${name}() }} stays as ${comment === null ? "text" : "a comment"}`);
    return { text: comment ?? `\\${blocks.slice(index, end.end)}`, end: end.end };
  });
  const shown = restore(commentsLast(plain)).replaceAll(
    ESCAPED,
    (_, open: string, inner: string, close: string) => `{${open}${inner}${close}}`,
  );
  return { text: shown, notes: [...notes] };
}

function readArguments(written: string): ReadonlyMap<string, string> {
  return new Map(
    [...written.matchAll(ARGUMENT)].map(([, key = "", ...values]) => [
      key,
      (values.find((value) => value !== undefined) ?? "").replaceAll(/\\(["'\\])/g, "$1"),
    ]),
  );
}

type Arguments = ReadonlyMap<string, string>;

/** The first argument of these names. */
function firstOf(args: Arguments, names: readonly string[]): string | undefined {
  return names.map((name) => args.get(name)).find((value) => value !== undefined);
}

/** A shortcode with a body; null for one without a counterpart. */
function block(name: string, args: Arguments, body: string): string | null {
  const lines = body.replace(/^\n+|(?<!\s)\s+$/g, "").split("\n");
  if (name === "quote" || name === "blockquote") return quote(lines, args);
  if (name === "mermaid") return fencedCode(name, lines.join("\n"));
  if (name === "math" || name === "katex") return fencedCode("math", lines.join("\n"));
  const title = firstOf(args, ["title", "summary"]) ?? "";
  if (name === "details") return containerLines({ name, title, lines }).join("\n");
  const kind = isCallout(name) ? name : firstOf(args, ["type", "kind", "level"]);
  if (!isCallout(name) && !NOTICES.has(name)) return null;
  return containerLines({ name: calloutOf(kind ?? "note"), title, lines }).join("\n");
}

function quote(lines: readonly string[], args: Arguments): string {
  const author = firstOf(args, ["author", "by"]);
  const quoted = [...lines, ...(author === undefined ? [] : ["", `— ${author}`])];
  return quoted.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}

const NOTICES: ReadonlySet<string> = new Set([
  "alert",
  "admonition",
  "callout",
  "notice",
  "aside",
  "hint",
]);

/** A shortcode without a body; null for one without a counterpart. */
function inline(name: string, args: Arguments): string | null {
  const id = args.get("id");
  if (name === "youtube" && id !== undefined) return embed(`https://www.youtube.com/watch?v=${id}`);
  if (name === "vimeo" && id !== undefined) return embed(`https://vimeo.com/${id}`);
  const url = args.get("url");
  if (name === "gist" && url !== undefined) return `\n<${url}>\n`;
  const src = firstOf(args, ["src", "path", "url"]);
  if (!FIGURES.has(name) || src === undefined) return null;
  const caption = (firstOf(args, ["caption", "title"]) ?? "").replaceAll('"', "'");
  const alt = (args.get("alt") ?? "").replaceAll(/[[\]]/g, "");
  const address = (/\s/.test(src) ? `<${src}>` : src).replace(/^@\/+/, "/");
  return `![${alt}](${address}${caption === "" ? "" : ` "${caption}"`})`;
}

const FIGURES: ReadonlySet<string> = new Set(["figure", "image", "img", "picture"]);

function embed(address: string): string {
  return `\n${embedAddress(address) ?? address}\n`;
}

/** `rust,linenos,hl_lines=3-4 8,name=a.rs` as an info string of this project. */
function plainFence(_: string, opening: string, words: string): string {
  const info = words.split(",").flatMap((word) => {
    const [key = "", value = ""] = word.trim().split("=", 2);
    if (key === "hl_lines") return [`{${value.trim().split(/\s+/).join(",")}}`];
    if (key === "linenos") return ["showLineNumbers"];
    if (key === "name") return [`title="${value.replaceAll('"', "'")}"`];
    return [];
  });
  return [opening, ...info].join(" ");
}
