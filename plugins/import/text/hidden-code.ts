/**
 * Code in Markdown is not text: while a source's syntax is translated, each piece of code is one mark that no
 * pattern matches, so a translation never changes code and still finds both ends of what contains some.
 */

/** A fence at the start of a line, also in a quote or a list item. */
const FENCE = /^((?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*)(`{3,}|~{3,})(.*)$/;
/** Blocks whose content HTML takes as it is. */
const RAW_START = /<(pre|script|style|textarea)\b[^<>]*>/gi;

/** A text whose code is hidden. */
interface HiddenCode {
  /** The text with a mark for each line or span of code. */
  readonly text: string;
  /** Puts the code back, in any text that has marks. */
  restore(text: string): string;
}

/** What counts as code. */
interface HideOptions {
  /** True: also lines that are indented by four, outside of lists. Default false: some systems indent text. */
  readonly hasIndented?: boolean;
}

/** Changes what is outside of code: fences, spans, and the content of `<pre>`, `<script>` and `<style>`. */
export function outsideCode(
  text: string,
  change: (text: string) => string,
  options: HideOptions = {},
): string {
  const hidden = hideCode(text, options);
  return hidden.restore(change(hidden.text));
}

/** Hides the code of a text. Each line of a block keeps the indentation of its fence outside of its mark. */
export function hideCode(text: string, { hasIndented = false }: HideOptions = {}): HiddenCode {
  const [open, close] = unusedCharacters(text);
  const pieces: string[] = [];
  const hide = (piece: string): string => {
    if (piece === "") return "";
    pieces.push(piece);
    return `${open}${pieces.length - 1}${close}`;
  };
  const fenced = hideBlocks(text, hide);
  const blocks = hasIndented ? hideIndented(fenced, hide) : fenced;
  const hidden = hideSpans(hideRaw(blocks, hide), hide);
  const mark = new RegExp(`${open}(\\d+)${close}`, "g");
  const restore = (changed: string): string => {
    // A mark may be in the code of a block of HTML, which was hidden later.
    const once = changed.replaceAll(mark, (_, at: string) => pieces[Number(at)] ?? "");
    return once.includes(open) && once !== changed ? restore(once) : once;
  };
  return { text: hidden, restore };
}

/** A block of code with a fence that is longer than those inside. */
export function fencedCode(info: string, code: string): string {
  const runs = code.match(/^[ \t>]*`{3,}/gm) ?? [];
  const length = Math.max(2, ...runs.map((run) => run.trimStart().length)) + 1;
  const fence = "`".repeat(length);
  return `${fence}${info}\n${code}\n${fence}`;
}

/** Two characters of private use that the text does not have. */
function unusedCharacters(text: string): [string, string] {
  const unused: string[] = [];
  for (let code = 0xe000; unused.length < 2; code += 1) {
    const character = String.fromCodePoint(code);
    if (!text.includes(character)) unused.push(character);
  }
  return [unused[0] ?? "", unused[1] ?? ""];
}

/** A block of code between fences. */
interface Fenced {
  /** Its first line, and the one after its last. */
  readonly start: number;
  readonly end: number;
  readonly fence: string;
  /** What is before its fence: white space, and marks of quotes and list items. */
  readonly before: string;
  /** False: it ends with the quote or the indented block that it is in, or with the text. */
  readonly isClosed: boolean;
}

/** The fence of a line; null for a line without one. */
function fenceOf(line: string): { before: string; mark: string; info: string } | null {
  const [, before = "", mark = "", info = ""] = FENCE.exec(line) ?? [];
  return mark === "" ? null : { before, mark, info };
}

function fencedBlocks(lines: readonly string[]): Fenced[] {
  const blocks: Fenced[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const fence = fenceOf(lines[start] ?? "");
    // The info of a fence of backticks has none; otherwise it is a code span.
    if (fence === null || (fence.mark.startsWith("`") && fence.info.includes("`"))) continue;
    const { before, mark } = fence;
    let end = start + 1;
    let isClosed = false;
    while (!isClosed && end < lines.length && !isAfterBlock(lines[end] ?? "", before)) {
      isClosed = endsFence(lines[end] ?? "", before, mark);
      end += 1;
    }
    blocks.push({ start, end, fence: mark, before, isClosed });
    start = end - 1;
  }
  return blocks;
}

/** True for the end of a fence; one that is indented further is an example inside the code. */
function endsFence(line: string, before: string, mark: string): boolean {
  const other = fenceOf(line);
  return (
    other !== null &&
    other.mark.startsWith(mark) &&
    other.info.trim() === "" &&
    other.before.length < before.length + 4
  );
}

/** True for a line after the quote or the indented block in which a fence is open: both end the code. */
function isAfterBlock(line: string, before: string): boolean {
  if (before.includes(">")) return !/^[ \t]*>/.test(line);
  if (line.trim() === "") return false;
  return line.length - line.trimStart().length < before.length - 3;
}

/** The text with an end for each fence that ends with the quote or the indented block that it is in. */
export function closedFences(text: string): string {
  const lines = text.split("\n");
  for (const { end, fence, before, isClosed } of fencedBlocks(lines)) {
    if (isClosed || end === lines.length) continue;
    let last = end - 1;
    while ((lines[last] ?? "").trim() === "") last -= 1;
    lines[last] += `\n${before.replaceAll(/[^>\s]/g, " ")}${fence}`;
  }
  return lines.join("\n");
}

function hideBlocks(text: string, hide: (piece: string) => string): string {
  const lines = text.split("\n");
  for (const { start, end, before } of fencedBlocks(lines)) {
    for (let at = start; at < end; at += 1) {
      const line = lines[at] ?? "";
      const width = at === start ? before.length : indentOf(line, before.length);
      lines[at] = line.slice(0, width) + hide(line.slice(width));
    }
  }
  return lines.join("\n");
}

const INDENTED = /^(?: {4}|\t)/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

/** Hides lines that are indented by four after a blank line, unless they belong to an item of a list or a footnote. */
function hideIndented(text: string, hide: (piece: string) => string): string {
  const lines = text.split("\n");
  let isBlank = true;
  let isCode = false;
  let isInList = false;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") {
      isBlank = true;
      continue;
    }
    if (!INDENTED.test(line)) {
      isCode = false;
      if (LIST_ITEM.test(line) || /^ {0,3}(?:\[\^|: )/.test(line)) isInList = true;
      else if (isBlank && !/^[ \t]/.test(line)) isInList = false;
    } else if (isCode || (isBlank && !isInList)) {
      isCode = true;
      const width = line.startsWith("\t") ? 1 : 4;
      lines[at] = line.slice(0, width) + hide(line.slice(width));
    }
    isBlank = false;
  }
  return lines.join("\n");
}

/** The number of characters before the code of a line: white space and marks of quotes, up to those of its fence. */
function indentOf(line: string, most: number): number {
  let at = 0;
  while (at < most && /[ \t>]/.test(line[at] ?? "")) at += 1;
  return at;
}

function hideRaw(text: string, hide: (piece: string) => string): string {
  let result = "";
  let done = 0;
  const lower = text.toLowerCase();
  const spans = allSpans(text);
  let next = 0;
  for (const { index, 0: tag, 1: name = "" } of text.matchAll(RAW_START)) {
    const start = index + tag.length;
    if (index < done) continue;
    // A tag in a span of code, such as `<script>` in a sentence, begins no block.
    while ((spans[next]?.end ?? Infinity) <= index) next += 1;
    const span = spans[next];
    if (span !== undefined && span.start >= done && span.start < index) continue;
    const end = lower.indexOf(`</${name.toLowerCase()}`, start);
    if (end === -1) break;
    const inner = text.slice(start, end).split("\n").map(hide).join("\n");
    result += text.slice(done, start) + inner;
    done = end;
  }
  return result + text.slice(done);
}

/** A span ends with as many backticks as it begins with, in the same paragraph. */
function hideSpans(text: string, hide: (piece: string) => string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((paragraph) => (paragraph.includes("`") ? hideSpansIn(paragraph, hide) : paragraph))
    .join("");
}

/** A span of code: from its first backtick to the end of its last one. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans of all paragraphs of a text. */
function allSpans(text: string): Span[] {
  let offset = 0;
  return text.split(/(\n[ \t]*\n)/).flatMap((paragraph) => {
    const from = offset;
    offset += paragraph.length;
    if (!paragraph.includes("`")) return [];
    return spansIn(paragraph).map(({ start, end }) => ({ start: from + start, end: from + end }));
  });
}

/** The spans of a paragraph. */
function spansIn(paragraph: string): Span[] {
  const runs = [...paragraph.matchAll(/(?<!\\)(\\*)(`+)/g)].map(
    ({ index, 1: escape = "", 2: ticks = "" }) => {
      // An escaped backtick begins nothing, but may end a span.
      return {
        at: index + escape.length,
        length: ticks.length,
        isEscaped: escape.length % 2 === 1,
      };
    },
  );
  const next = nextOfLength(runs.map(({ length }) => length));
  const spans: Span[] = [];
  let done = 0;
  for (const [number, { at, isEscaped }] of runs.entries()) {
    const close = runs[next[number] ?? -1];
    if (at < done || isEscaped || close === undefined) continue;
    done = close.at + close.length;
    spans.push({ start: at, end: done });
  }
  return spans;
}

function hideSpansIn(paragraph: string, hide: (piece: string) => string): string {
  let result = "";
  let done = 0;
  for (const { start, end } of spansIn(paragraph)) {
    const span = paragraph.slice(start, end);
    result += paragraph.slice(done, start) + span.split("\n").map(hide).join("\n");
    done = end;
  }
  return result + paragraph.slice(done);
}

/** For each run the place of the next one of the same length; -1 for none. */
function nextOfLength(lengths: readonly number[]): number[] {
  const last = new Map<number, number>();
  const next = lengths.map(() => -1);
  for (let at = lengths.length - 1; at >= 0; at -= 1) {
    const length = lengths[at] ?? 0;
    next[at] = last.get(length) ?? -1;
    last.set(length, at);
  }
  return next;
}
