import { foldWord, isTerm, stripEnds } from "./terms.js";

/** A word of a text that starts with a query term. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Position of the term in the query. */
  readonly term: number;
}

// Only this part of a longer text is searched, so that twenty excerpts of long pages stay cheap.
const FARTHEST = 100_000;
const BEYOND_ASCII = /[^\0-\x7f]/g;
const WIDE_SPACE = /\s/u;

/**
 * The matching words, in order. `indexOf` finds terms many times faster than folding every word;
 * words with non-ASCII characters are folded one by one.
 */
export function findMatches(text: string, terms: readonly string[]): Match[] {
  if (terms.length === 0) return [];
  const looked = text.length > FARTHEST ? text.slice(0, FARTHEST) : text;
  const lower = looked.toLowerCase();
  const matches: Match[] = [];
  // One letter lower-cases to two units and would shift positions; such a text is scanned word by
  // word.
  const find = lower.length === looked.length ? findTerm : findWords;
  terms.forEach((term, at) => find({ text: looked, lower }, { term, at }, matches));
  // Many times faster than a pattern: only ASCII has as many bytes as characters.
  const isAscii = Buffer.byteLength(looked) === looked.length;
  if (!isAscii) findBeyondAscii(looked, terms, matches);
  return isAscii && terms.length === 1 ? matches : inOrder(matches);
}

interface Text {
  readonly text: string;
  readonly lower: string;
}
interface Wanted {
  readonly term: string;
  readonly at: number;
}

function findTerm({ text, lower }: Text, { term, at }: Wanted, matches: Match[]): void {
  let from = lower.indexOf(term);
  while (from >= 0) {
    let next = from + 1;
    if (isWordStart(text, from)) {
      const end = wordEnd(text, from);
      addMatch(matches, text, { start: from, end, term: at });
      next = Math.max(next, end);
    }
    from = lower.indexOf(term, next);
  }
}

function findWords({ text }: Text, { term, at }: Wanted, matches: Match[]): void {
  for (const { index, 0: raw } of text.matchAll(/\S+/gu)) {
    const match = { start: index, end: index + raw.length, term: at };
    if (foldWord(raw).startsWith(term)) addMatch(matches, text, match);
  }
}

function findBeyondAscii(text: string, terms: readonly string[], matches: Match[]): void {
  const firsts = new Set(terms.map((term) => term.charCodeAt(0)));
  BEYOND_ASCII.lastIndex = 0;
  let done = 0;
  for (let found = BEYOND_ASCII.exec(text); found; found = BEYOND_ASCII.exec(text)) {
    if (found.index < done || WIDE_SPACE.test(found[0])) continue;
    const [start, end] = [wordStart(text, found.index), wordEnd(text, found.index)];
    done = end;
    BEYOND_ASCII.lastIndex = Math.max(done, found.index + 1);
    if (!mayStartWith(text, { start, end }, firsts)) continue;
    const folded = foldWord(text.slice(start, end));
    const at = isTerm(folded) ? terms.findIndex((term) => folded.startsWith(term)) : -1;
    if (at >= 0) addMatch(matches, text, { start, end, term: at });
  }
}

/**
 * False for a word whose first letter or digit is ASCII and begins no term: folding leaves it in front.
 * Spares most words with dashes, quotes and apostrophes the folding, half of what an excerpt costs.
 */
function mayStartWith(
  text: string,
  { start, end }: { start: number; end: number },
  firsts: ReadonlySet<number>,
): boolean {
  let at = start;
  while (at < end && isAsciiPunctuation(text.charCodeAt(at))) at += 1;
  const code = text.charCodeAt(at);
  return !isAsciiWord(code) || firsts.has(code) || firsts.has(code | 32);
}

/** Adds a word without leading and trailing punctuation. */
function addMatch(matches: Match[], text: string, word: Match): void {
  if (isWordAt(text, word.start) && isWordAt(text, word.end - 1)) {
    matches.push(word);
    return;
  }
  const raw = text.slice(word.start, word.end);
  const shown = stripEnds(raw);
  const start = word.start + raw.indexOf(shown);
  if (shown !== "") matches.push({ start, end: start + shown.length, term: word.term });
}

/** Sorted by position, each position once: the first matching term wins. */
function inOrder(matches: Match[]): Match[] {
  matches.sort((a, b) => a.start - b.start || a.term - b.term);
  let [kept, last] = [0, -1];
  for (const match of matches) {
    if (match.start !== last) matches[kept++] = match;
    last = match.start;
  }
  matches.length = kept;
  return matches;
}

/** True when only ASCII punctuation lies between `at` and the previous space or the start. */
function isWordStart(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isAsciiPunctuation(text.charCodeAt(before))) before -= 1;
  return before < 0 || isSpace(text, before);
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isSpace(text, start - 1)) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isSpace(text, end)) end += 1;
  return end;
}

/** True for white space at a position of a text. */
export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return WIDE_SPACE.test(text.charAt(at));
}

function isAsciiPunctuation(code: number): boolean {
  return code > 32 && code <= 126 && !isAsciiWord(code);
}

function isWordAt(text: string, at: number): boolean {
  return isAsciiWord(text.charCodeAt(at));
}

function isAsciiWord(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 122);
}
