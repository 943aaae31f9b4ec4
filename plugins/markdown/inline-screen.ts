const MAX_BYTES = 4096;
const MAX_LINES = 150;
const MAX_MARKS = 200;

// Nine list, quote or definition markers in a row: nesting costs its depth squared.
const DEEP_NESTING = /^(?:[ \t]*(?:[>*+:-]|\d{1,9}[.)])){9}/m;

const MARKS = new Set("*_~`[]<>!|&{}@");

/**
 * True for a body that is rendered on the spot: small, and with so few marks that even a hostile
 * arrangement of them takes milliseconds. Everything else goes to a thread, under a time limit.
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
