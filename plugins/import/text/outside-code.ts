/** Code in Markdown: blocks between fences, and spans within a line. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const SPAN = /(?<!`)(`{1,2})(?!`)[^\n]*?[^`\n]\1(?!`)/g;

/** Changes what is outside of code. */
export function outsideCode(text: string, change: (part: string) => string): string {
  let result = "";
  let done = 0;
  for (const { start, end } of codeIn(text)) {
    result += change(text.slice(done, start)) + text.slice(start, end);
    done = end;
  }
  return result + change(text.slice(done));
}

function* codeIn(text: string): Generator<{ start: number; end: number }> {
  let fence: { readonly mark: string; readonly start: number } | null = null;
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (fence === null) {
      const mark = fenceOf(line);
      if (mark === null) yield* spansIn(line, start);
      else fence = { mark, start };
    } else if (closes(line, fence.mark)) {
      yield { start: fence.start, end };
      fence = null;
    }
    start = end + 1;
  }
  if (fence !== null) yield { start: fence.start, end: text.length };
}

/** The info string of a fence of backticks has none; otherwise it is a code span. */
function fenceOf(line: string): string | null {
  const match = FENCE.exec(line);
  const mark = match?.[1] ?? null;
  const isSpan = mark?.startsWith("`") === true && line.slice(match?.[0].length).includes("`");
  return isSpan ? null : mark;
}

function closes(line: string, fence: string): boolean {
  const mark = FENCE.exec(line)?.[1];
  return mark?.startsWith(fence) === true && line.trim() === mark;
}

function* spansIn(line: string, start: number): Generator<{ start: number; end: number }> {
  if (!line.includes("`")) return;
  for (const { index, 0: span } of line.matchAll(SPAN)) {
    yield { start: start + index, end: start + index + span.length };
  }
}
