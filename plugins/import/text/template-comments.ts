/**
 * Tags of templates that have no counterpart: each stays in the file as a comment, which no visitor sees and every
 * editor finds.
 */
import { replaceMarks } from "#lib/text";

/** The start of a line up to a tag, which would make the line a block of HTML. */
const LEADING =
  /^((?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*)((?:<!-- (?:(?!-->)[^\n])+ -->[ \t]*)+)(?!<!--)(\S[^\n]*)$/gm;
/** The address of a link, of a definition or of an attribute begins before it and is not over. */
const ADDRESS = /\]\((?:<[^>\n]*|[^\s()]*)$|(?:^|\n) {0,3}\[[^\]\n]+\]:[ \t]*\S*$|<[a-z/][^<>]*$/i;
const MAX_BEFORE = 1_000;

/** The tag from `start` to `end` of a text as a comment; null in an address, and for one that a comment cannot hold. */
export function templateComment(text: string, start: number, end: number): string | null {
  const tag = text.slice(start, end);
  if (/\n[ \t]*\n/.test(tag)) return null;
  if (ADDRESS.test(text.slice(Math.max(0, start - MAX_BEFORE), start))) return null;
  return `<!-- ${tag.replaceAll("--", "- -").replaceAll(/(?<!\s)\s*\n\s*/g, " ")} -->`;
}

/** True in a comment that is open at a place of its line. */
export function isInComment(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.lastIndexOf("<!--") > line.lastIndexOf("-->");
}

/** The text with its comments behind the text of their line: Markdown after one would be HTML. */
export function commentsLast(text: string): string {
  return text.replaceAll(
    LEADING,
    (_, before: string, comments: string, rest: string) => `${before}${rest} ${comments.trimEnd()}`,
  );
}

/** A computed address, and the text or the tag around it. */
interface ComputedAddresses {
  readonly text: string;
  /** The tags that were in addresses. */
  readonly tags: readonly string[];
}
/** Elements that show nothing without their address. */
const SHOWN_BY_ADDRESS = /^(?:img|source|iframe|video|audio|embed|track|object)$/i;
const ELEMENT = /<([a-z][\w-]{0,40})(?=[\s/>{])/gi;
/** The parts of an opening tag: a tag of a template, a quoted value, the end, or the start of another one. */
const PART =
  /\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}|"(?:\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}|\{(?![{%])|[^"{])*"|'(?:\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}|\{(?![{%])|[^'{])*'|[<>]/g;
const TEMPLATE = /\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}/;
const ATTRIBUTE =
  /\s[^\s"'<>=/{}]{1,60}\s{0,5}=\s{0,5}(?:"(?:\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}|\{(?![{%])|[^"{])*"|'(?:\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}|\{(?![{%])|[^'{])*'|(?:\{\{[^{}]{0,500}\}\}|\{%[^%]{0,500}%\}|[^\s"'<>])+)/g;
const IMAGE = /!\[[^[\]\n]{0,300}\]\(([^()\n]{0,1000})\)/g;
const LINK = /(?<!!)\[([^[\]\n]{0,500})\]\(([^()\n]{0,1000})\)/g;
const MAX_ELEMENT = 5_000;

/**
 * The text without addresses and attributes that a template computes, as no browser finds them: the label of a link
 * stays, an image or a player becomes a comment. Definitions stay, as all after a broken one are lost.
 */
export function withoutComputedAddresses(text: string): ComputedAddresses {
  if (!TEMPLATE.test(text)) return { text, tags: [] };
  const tags: string[] = [];
  const comment = (tag: string): string => {
    for (const one of tag.match(new RegExp(TEMPLATE, "g")) ?? []) tags.push(one);
    return templateComment(tag, 0, tag.length) ?? "";
  };
  const plain = withoutComputedAttributes(text, comment)
    .replaceAll(IMAGE, (whole, address: string) =>
      TEMPLATE.test(address) ? comment(address) : whole,
    )
    .replaceAll(LINK, (whole, label: string, address: string) =>
      TEMPLATE.test(address) ? `${label} ${comment(address)}` : whole,
    );
  return { text: plain, tags };
}

/** What the report says about a tag that was in an address. */
export function computedAddressNote(tag: string): string {
  return `an address or attribute with ${tag.slice(0, 100)} was left out: a template makes it`;
}

function withoutComputedAttributes(text: string, comment: (tag: string) => string): string {
  return replaceMarks(text, ELEMENT, ({ index, 0: opening, 1: name = "" }) => {
    const end = endOfElement(text, index + opening.length);
    if (end === null) return null;
    const tag = text.slice(index, end);
    if (!TEMPLATE.test(tag)) return null;
    const kept = tag
      .slice(opening.length)
      .replaceAll(ATTRIBUTE, (attribute) => (TEMPLATE.test(attribute) ? "" : attribute))
      .replaceAll(new RegExp(TEMPLATE, "g"), "");
    const isShown = !SHOWN_BY_ADDRESS.test(name) || /\s(?:src|srcset|data)\s*=/i.test(kept);
    const written = comment(tag.match(new RegExp(TEMPLATE, "g"))?.join(" ") ?? "");
    return { text: isShown ? opening + kept : written, end };
  });
}

/** The end of an opening tag; null when none follows. */
function endOfElement(text: string, from: number): number | null {
  const parts = new RegExp(PART);
  parts.lastIndex = from;
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    if (part.index > from + MAX_ELEMENT || part[0] === "<") return null;
    if (part[0] === ">") return parts.lastIndex;
  }
  return null;
}
