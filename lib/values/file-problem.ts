/** A problem in a file, and how it is printed. */
export interface FileProblem {
  /** As its reader calls it: relative to the site root. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Dotted; empty for the file as a whole. */
  key: string;
  /** The value; for a mistake of syntax the text of its line. */
  received: unknown;
  expected: string;
  fix: string;
}

/** One line: `file:line:column  key  received  expected  fix`. */
export function formatProblem(problem: FileProblem): string {
  const position = `${problem.file}:${problem.line}:${problem.column}`;
  const received = `received ${formatReceived(problem.received)}`;
  const expected = `expected ${problem.expected}`;
  return [position, problem.key || "(file)", received, expected, problem.fix]
    .map(oneLine)
    .join("  ");
}

/** The problem of a key, without its place and fix. */
export function causeOf({
  key,
  received,
  expected,
}: Pick<FileProblem, "key" | "received" | "expected">): string {
  return oneLine(
    `${key || "the file"}: received ${formatReceived(received)}, expected ${expected}`,
  );
}

const MAX_RECEIVED = 120;

function formatReceived(value: unknown): string {
  if (value === undefined) return "nothing";
  const json = JSON.stringify(value) ?? String(value);
  return json.length > MAX_RECEIVED ? `${json.slice(0, MAX_RECEIVED)}…` : json;
}

/** A value from a file may contain anything; the problem stays on one line. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
