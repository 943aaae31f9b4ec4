/**
 * Tags of templates that have no counterpart: each stays in the file as a comment, which no visitor sees and every
 * editor finds.
 */

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

/** The text with its comments behind the text of their line: Markdown after one would be HTML. */
export function commentsLast(text: string): string {
  return text.replaceAll(
    LEADING,
    (_, before: string, comments: string, rest: string) => `${before}${rest} ${comments.trimEnd()}`,
  );
}
