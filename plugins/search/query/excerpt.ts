import { foldWord, isTerm, stripEnds } from "./terms.js";

/** An excerpt of a text around the words of a query. */
export interface Excerpt {
  /** HTML: escaped, with matches in `<mark>` if requested. */
  readonly html: string;
  /** Matched words of the text, HTML-escaped, unique, at most twenty. */
  readonly highlights: readonly string[];
}
/** `length` in characters of the text. */
export interface ExcerptOptions {
  readonly terms: readonly string[];
  readonly length: number;
  readonly highlight: boolean;
}

const MAX_HIGHLIGHTS = 20;
const MAX_STEP_LENGTH = 40;
const SPECIAL = /[&<>"']/gu;
// Matches what needs a change for display: HTML special characters, and white space other than one
// space.
const UNUSUAL = /[&<>"']|\s{2,}|[^\S ]/u;
const unusualRuns = new RegExp(UNUSUAL, "gu");
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Escapes text as HTML. Does not use the kernel's function, because exported sites send this file
 * to browsers.
 */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => escapes[character] ?? character);
}

/** The part of a text where the terms are closest, as HTML. */
export function cutExcerpt(text: string, options: ExcerptOptions): Excerpt {
  const matches = findMatches(text, options.terms);
  const window = placeWindow(text, densest(matches, options.length), options.length);
  const inside = options.highlight
    ? matches.filter((match) => match.start >= window.start && match.end <= window.end)
    : [];
  const html =
    (window.start > 0 ? "…" : "") +
    markUp(text, window, inside) +
    (window.end < text.length ? "…" : "");
  const words = new Set<string>();
  for (const match of matches) {
    if (words.size === MAX_HIGHLIGHTS) break;
    words.add(text.slice(match.start, match.end));
  }
  return { html, highlights: Array.from(words, escapeHtml) };
}

/** A range of characters of a text. */
interface Span {
  readonly start: number;
  /** The position after the last character. */
  readonly end: number;
}

/** The run of matches within `length` with the most different terms, then the most matches. */
function densest(matches: readonly Match[], length: number): Span | null {
  let [bestFirst, bestLast, most, first, different] = [0, -1, 0, 0, 0];
  const inside: number[] = [];
  for (let last = 0; last < matches.length; last++) {
    const { term, end } = matches[last] as Match;
    if ((inside[term] = (inside[term] ?? 0) + 1) === 1) different += 1;
    while (first < last && end - (matches[first] as Match).start > length) {
      const lead = (matches[first++] as Match).term;
      if ((inside[lead] = (inside[lead] as number) - 1) === 0) different -= 1;
    }
    const worth = different * matches.length + (last - first + 1);
    if (worth > most) [bestFirst, bestLast, most] = [first, last, worth];
  }
  const [from, to] = [matches[bestFirst], matches[bestLast]];
  return from && to ? { start: from.start, end: to.end } : null;
}

/** A window of `length` around the span, moved to word boundaries. */
function placeWindow(text: string, span: Span | null, length: number): Span {
  if (text.length <= length) return { start: 0, end: text.length };
  const room = span ? Math.max(0, length - (span.end - span.start)) : 0;
  const target = span ? Math.max(0, span.start - Math.floor(room / 2)) : 0;
  const latest = Math.min(target, text.length - length);
  const start = latest === 0 ? 0 : stepForward(text, latest, span ? span.start : latest);
  const end = Math.min(text.length, start + length);
  return { start, end: end === text.length ? end : stepBack(text, end, span ? span.end : start) };
}

function stepForward(text: string, from: number, stop: number): number {
  if (isSpace(text, from - 1)) return from;
  for (let at = from; at < Math.min(stop, from + MAX_STEP_LENGTH); at++)
    if (isSpace(text, at)) return at + 1;
  return isLowSurrogate(text, from) ? from + 1 : from;
}

function stepBack(text: string, from: number, stop: number): number {
  if (isSpace(text, from)) return from;
  for (let at = from - 1; at >= Math.max(stop, from - MAX_STEP_LENGTH); at--)
    if (isSpace(text, at)) return at;
  return isLowSurrogate(text, from) ? from - 1 : from;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function markUp(text: string, window: Span, matches: readonly Match[]): string {
  const shown = text.slice(window.start, window.end);
  const isUnusual = UNUSUAL.test(shown);
  const clean = (part: string): string =>
    isUnusual ? part.replace(unusualRuns, (run) => escapes[run] ?? " ") : part;
  let html = "";
  let at = 0;
  for (const match of matches) {
    const [from, to] = [match.start - window.start, match.end - window.start];
    html += `${clean(shown.slice(at, from))}<mark>${clean(shown.slice(from, to))}</mark>`;
    at = to;
  }
  return (html + clean(shown.slice(at))).trim();
}

/** A word of a text that starts with a query term. */
interface Match {
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
  for (let match = BEYOND_ASCII.exec(text); match; match = BEYOND_ASCII.exec(text)) {
    if (match.index < done || WIDE_SPACE.test(match[0])) continue;
    const [start, end] = [wordStart(text, match.index), wordEnd(text, match.index)];
    done = end;
    BEYOND_ASCII.lastIndex = Math.max(done, match.index + 1);
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
function mayStartWith(text: string, { start, end }: Span, firsts: ReadonlySet<number>): boolean {
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
