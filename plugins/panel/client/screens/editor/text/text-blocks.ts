/** The lines, blocks and headings of a Markdown text, with code fences. */

/** A line. */
interface TextLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** True inside a code fence, and for the fence. */
  readonly isCode: boolean;
}
interface Block {
  /** Line of its beginning. */
  readonly line: number;
  readonly lines: string[];
}

/** All lines. */
function* splitLines(text: string): Generator<TextLine> {
  let fence = "";
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    yield { line: at + 1, text: line, isCode: fence !== "" || mark !== "" };
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
  }
}

/** The texts of all blocks: parts between empty lines; fenced code is one part. */
export function splitBlocks(text: string): string[] {
  return split(text).map(({ lines }) => lines.join("\n"));
}

/** The number of the block at a line, from 0: the last one that begins there or before. */
export function findBlock(text: string, line: number): number {
  return Math.max(
    0,
    split(text).findLastIndex((block) => block.line <= line),
  );
}

function split(text: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const { line, text: words, isCode } of splitLines(text)) {
    const isEmpty = !isCode && words.trim() === "";
    if (!isEmpty && isOpen) blocks.at(-1)?.lines.push(words);
    else if (!isEmpty) blocks.push({ line, lines: [words] });
    isOpen = !isEmpty;
  }
  return blocks;
}

/** A heading of a text. */
interface Heading {
  readonly level: number;
  /** Without marks. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** The headings of a Markdown text, without those inside code. */
export function listHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let before = "";
  for (const line of splitLines(text)) {
    const heading = line.isCode ? null : (marked(line) ?? underlined(line, before));
    if (heading !== null) headings.push(heading);
    before = line.isCode || heading !== null ? "" : countWords(line);
  }
  return headings;
}

/** `## Words`. */
function marked({ text, line }: TextLine): Heading | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*$/.exec(text);
  return match === null
    ? null
    : { level: match[1]?.length ?? 1, text: plain(match[2] ?? ""), line };
}

/** A line of `===` or `---` below words. */
function underlined({ text, line }: TextLine, before: string): Heading | null {
  const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(text)?.[1];
  if (before === "" || underline === undefined) return null;
  return { level: underline.startsWith("=") ? 1 : 2, text: plain(before), line: line - 1 };
}

/** Words that an underline makes a heading; empty for lists, quotes and tables. */
function countWords({ text }: TextLine): string {
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
