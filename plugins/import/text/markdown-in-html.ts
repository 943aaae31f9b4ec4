/**
 * Markdown inside blocks of HTML: kramdown and Python-Markdown read it where an element says `markdown="1"`, and text
 * right after a block of HTML. CommonMark reads it only between blank lines.
 */

import { dedented, replaceMarks } from "#lib/text";
import { outsideCode } from "./hidden-code.js";

const BLOCK =
  "address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|header|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul";
const TAG = new RegExp(`<(/?)(${BLOCK})\\b([^<>]*)>`, "gi");
const SWITCH =
  /(?<![ \t\n])[ \t\n]+markdown(?:[ \t]*=[ \t]*(?:"(\w*)"|'(\w*)'|(\w+)))?(?=[\s/]|$)/i;
/** Elements whose Markdown stays in the line; the switch of any other element needs no change either. */
const INLINE_SWITCH =
  /(<(?:a|abbr|b|cite|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u)\b[^<>]*?)[ \t]+markdown(?:=(?:"\w*"|'\w*'|\w+))?(?=[\s/>])/gi;
/** A line that ends a block, before a line of text. */
const ENDED = new RegExp(`^( {0,3}</(?:${BLOCK})>[ \\t]*)\\n(?=[^\\s<])`, "gim");

/** An element of a line that begins a line alone: CommonMark would take all up to a blank line for HTML. */
const ALONE =
  /^( {0,3}<(?:a|abbr|b|cite|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)\b[^<>\n]*(?<!\/)>)[ \t]*\n(?=[ \t]*[^\s<])/gim;

/** Code, whose lines are hidden, right after the tag of a custom element such as an editor, and the end tags after it. */
const CODE_IN_ELEMENT =
  /^([ \t]*<[a-z]{1,40}-[\w-]{0,40}\b[^<>\n]*>)[ \t]*\n((?:(?:[ \t]*[\uE000-\uF8FF]\d+[\uE000-\uF8FF])?[ \t]*\n)+)((?:[ \t]*<\/[\w-]{1,80}>[ \t]*(?:\n|$))*)/gm;

/** An element that is open at a place of a text. */
interface OpenElement {
  readonly name: string;
  /** The tag, without the switch. */
  readonly tag: string;
  readonly isMarkdown: boolean;
  text: string;
}

/** A block of HTML, of any name, that begins a line. */
const OPENING = new RegExp(`^ {0,3}<(${BLOCK})\\b[^<>]*>`, "gim");
/** The end of a line and the blank lines after it. */
const GAP = /\n(?:[ \t]*\n)+/g;
/** A line that is indented like code. */
const INDENTED = /(?: {4}|\t)/y;
const SWITCH_ANYWHERE = /<[a-z]+\b[^<>]*\smarkdown\b/i;
/** Characters of a block, and elements of its name inside it. */
const MAX_BLOCK = 50_000;
const MAX_INNER = 500;

/**
 * The text without blank lines in blocks of HTML before lines that are indented by four: kramdown and Python-Markdown
 * take such a block up to its end tag for HTML, CommonMark would end it there and take those lines for code.
 */
export function joinedHtml(text: string): string {
  return outsideCode(text, (part) =>
    replaceMarks(part, OPENING, ({ index, 0: opening, 1: name = "" }) => {
      const end = endOfBlock(part, name, index + opening.length);
      if (end === null) return null;
      const block = part.slice(index, end);
      return SWITCH_ANYWHERE.test(block) ? null : { text: withoutGaps(block), end };
    }),
  );
}

/** The text without blank lines before lines that are indented like code. */
function withoutGaps(block: string): string {
  return block.replaceAll(GAP, (gap: string, at: number) => {
    INDENTED.lastIndex = at + gap.length;
    return INDENTED.test(block) ? "\n" : gap;
  });
}

/** The end of a block whose opening tag ends at a place; null when its end tag is not near. */
function endOfBlock(text: string, name: string, from: number): number | null {
  const near = text.slice(from, from + MAX_BLOCK);
  let depth = 1;
  let count = 0;
  for (const { 0: tag, 1: slash, index } of near.matchAll(
    new RegExp(`<(/?)${name}\\b[^<>]*>`, "gi"),
  )) {
    count += 1;
    depth += slash === "" ? 1 : -1;
    if (count > MAX_INNER) return null;
    if (depth === 0) return from + index + tag.length;
  }
  return null;
}

/** The text, whose code is hidden, with blank lines around the Markdown in HTML. */
export function markdownInHtml(text: string): string {
  return withSwitches(text.replaceAll(INLINE_SWITCH, "$1"))
    .replaceAll(ENDED, "$1\n\n")
    .replaceAll(ALONE, "$1")
    .replaceAll(CODE_IN_ELEMENT, (_, tag: string, code: string, ends: string) => {
      // An end tag that is indented would be code after the fence.
      return `${tag}\n\n${code}${ends.replaceAll(/^[ \t]+/gm, "")}`;
    });
}

function withSwitches(text: string): string {
  if (!/<[a-z]+\b[^<>]*\smarkdown\b/i.test(text)) return text;
  const root: OpenElement = { name: "", tag: "", isMarkdown: false, text: "" };
  const open: OpenElement[] = [root];
  const top = (): OpenElement => open.at(-1) ?? root;
  const counts = new Map<string, number>();
  const count = (name: string, by: number): number => {
    const next = (counts.get(name) ?? 0) + by;
    counts.set(name, next);
    return next;
  };
  /** Ends the innermost element; without its end tag its text stays as it is. */
  const close = (end: string): void => {
    const element = open.pop() ?? root;
    count(element.name, -1);
    const above = top();
    if (!element.isMarkdown || end === "") above.text += element.tag + element.text + end;
    else above.text += separated(element, end, above.text);
  };
  let done = 0;
  for (const { index, 0: tag, 1: slash, 2: written = "", 3: attributes = "" } of text.matchAll(
    TAG,
  )) {
    const name = written.toLowerCase();
    top().text += text.slice(done, index);
    done = index + tag.length;
    if (slash === "" && attributes.endsWith("/")) top().text += tag;
    else if (slash === "") {
      const isMarkdown = SWITCH.test(attributes) && !/\bmarkdown=["']?0/i.test(attributes);
      open.push({
        name,
        tag: `<${written}${attributes.replace(SWITCH, "")}>`,
        isMarkdown,
        text: "",
      });
      count(name, 1);
    } else if ((counts.get(name) ?? 0) === 0) top().text += tag;
    else {
      while (top().name !== name) close("");
      close(tag);
    }
  }
  top().text += text.slice(done);
  while (open.length > 1) close("");
  return root.text;
}

/** The element with blank lines around its Markdown, as deep as the line that it begins. */
function separated({ tag, text }: OpenElement, end: string, before: string): string {
  if (!text.includes("\n")) return /^<p\b/i.test(tag) ? text : `${tag}${text}${end}`;
  const indent = /(?:^|\n)([ \t]*)$/.exec(before.slice(-100))?.[1] ?? "";
  const inner = dedented(text.replaceAll("\t", "    ").split("\n")).join("\n");
  const lines = [tag, "", ...inner.replaceAll(/^\s*\n|(?<!\s)\s+$/g, "").split("\n"), "", end, ""];
  return lines.map((line, at) => (at === 0 || line === "" ? line : indent + line)).join("\n");
}
