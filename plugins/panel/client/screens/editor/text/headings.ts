import { linesOf, type TextLine } from "./text-blocks.js";

/** A heading of a text. */
export interface Heading {
  readonly level: number;
  /** Without marks. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** The headings of a Markdown text, without those inside code. */
export function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  let before = "";
  for (const line of linesOf(text)) {
    const found = line.isCode ? null : (marked(line) ?? underlined(line, before));
    if (found !== null) headings.push(found);
    before = line.isCode || found !== null ? "" : wordsOf(line);
  }
  return headings;
}

/** `## Words`. */
function marked({ text, line }: TextLine): Heading | null {
  const found = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*$/.exec(text);
  return found === null
    ? null
    : { level: found[1]?.length ?? 1, text: plain(found[2] ?? ""), line };
}

/** A line of `===` or `---` below words. */
function underlined({ text, line }: TextLine, before: string): Heading | null {
  const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(text)?.[1];
  if (before === "" || underline === undefined) return null;
  return { level: underline.startsWith("=") ? 1 : 2, text: plain(before), line: line - 1 };
}

/** Words that an underline makes a heading; empty for lists, quotes and tables. */
function wordsOf({ text }: TextLine): string {
  return /^\s*(?:[-*+>|]|\d+[.)])/.test(text) ? "" : text.trim();
}

/** Words without the marks of emphasis, code, links and identifiers. */
function plain(text: string): string {
  return text
    .replace(/\{#[\w-]+\}\s*$/, "")
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replace(/[*_`~]+/g, "")
    .trim();
}
