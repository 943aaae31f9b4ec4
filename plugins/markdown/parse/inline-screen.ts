const MAX_BYTES = 4096;
const MAX_LINES = 150;
const MAX_MARKS = 200;

// Nine nested list, quote or definition markers: the cost of nesting is quadratic.
const DEEP_NESTING = /^(?:[ \t]*(?:[>*+:-]|\d{1,9}[.)])){9}/m;

const MARKS = new Set("*_~`[]<>!|&{}@$=^");

/**
 * True for a body that can be rendered on the main thread: small, and with so few marks that even a
 * malicious arrangement takes milliseconds. All others go to a thread with a time limit.
 */
export function isHarmless(source: string): boolean {
  if (source.length > MAX_BYTES) return false;
  let lines = 0;
  let marks = 0;
  for (const character of source) {
    if (character === "\n" || character === "\r") lines += 1;
    else if (MARKS.has(character)) marks += 1;
  }
  return lines <= MAX_LINES && marks <= MAX_MARKS && !DEEP_NESTING.test(source);
}
