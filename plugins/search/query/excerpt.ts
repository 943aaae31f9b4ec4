import { findMatches, isSpace } from "./find-matches.js";
import type { Match } from "./find-matches.js";

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

/** The run of matches within `length` with the most different terms, then the most matches. */
function densest(
  matches: readonly Match[],
  length: number,
): { first: number; last: number } | null {
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
  return spanOf(matches, { first: bestFirst, last: bestLast });
}

function spanOf(
  matches: readonly Match[],
  run: { first: number; last: number },
): { first: number; last: number } | null {
  const [from, to] = [matches[run.first], matches[run.last]];
  return from && to ? { first: from.start, last: to.end } : null;
}

/** A window of `length` around the span, moved to word boundaries. */
function placeWindow(
  text: string,
  span: { first: number; last: number } | null,
  length: number,
): { start: number; end: number } {
  if (text.length <= length) return { start: 0, end: text.length };
  const room = span ? Math.max(0, length - (span.last - span.first)) : 0;
  const wanted = span ? Math.max(0, span.first - Math.floor(room / 2)) : 0;
  const latest = Math.min(wanted, text.length - length);
  const start = latest === 0 ? 0 : stepForward(text, latest, span ? span.first : latest);
  const end = Math.min(text.length, start + length);
  return { start, end: end === text.length ? end : stepBack(text, end, span ? span.last : start) };
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

function markUp(
  text: string,
  window: { start: number; end: number },
  matches: readonly Match[],
): string {
  const shown = text.slice(window.start, window.end);
  const clean = UNUSUAL.test(shown) ? flat : asItIs;
  let html = "";
  let at = 0;
  for (const match of matches) {
    const [from, to] = [match.start - window.start, match.end - window.start];
    html += `${clean(shown.slice(at, from))}<mark>${clean(shown.slice(from, to))}</mark>`;
    at = to;
  }
  return (html + clean(shown.slice(at))).trim();
}

function asItIs(text: string): string {
  return text;
}

function flat(text: string): string {
  return text.replace(unusualRuns, (found) => escapes[found] ?? " ");
}
