import { foldWord, isTerm, stripEnds } from "./terms.js";

/** What is cut from a text around the words of a query. */
export interface Excerpt {
  /** HTML: escaped, matches in `<mark>` when asked for. */
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
interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

// Longer texts are searched as far as this, so that twenty excerpts of long pages stay cheap.
const farthest = 100_000;
const mostHighlights = 20;
const longestStep = 40;
const wordPattern = /\S+/gu;
const special = /[&<>"']/gu;
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;",
};

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(special, (character) => escapes[character] ?? character);
}

/** The part of a text where the terms stand closest, as HTML. */
export function cutExcerpt(text: string, options: ExcerptOptions): Excerpt {
  const matches = findMatches(text, options.terms);
  const window = placeWindow(text, densest(matches, options.length), options.length);
  const inside = options.highlight
    ? matches.filter((match) => match.start >= window.start && match.end <= window.end)
    : [];
  const html =
    (window.start > 0 ? "…" : "") + markUp(text, window, inside) + (window.end < text.length ? "…" : "");
  const words = new Set<string>();
  for (const match of matches) {
    if (words.size === mostHighlights) break;
    words.add(escapeHtml(text.slice(match.start, match.end)));
  }
  return { html, highlights: [...words] };
}

/** Words of the text that a term is a prefix of. */
function findMatches(text: string, terms: readonly string[]): Match[] {
  const matches: Match[] = [];
  if (terms.length === 0) return matches;
  const starts = new Set(terms.map((term) => term.charCodeAt(0)));
  for (const found of text.slice(0, farthest).matchAll(wordPattern)) {
    const raw = found[0];
    if (!mayMatch(raw, starts)) continue;
    const folded = foldWord(raw);
    const term = isTerm(folded) ? terms.findIndex((candidate) => folded.startsWith(candidate)) : -1;
    if (term < 0) continue;
    const shown = stripEnds(raw);
    const start = found.index + raw.indexOf(shown);
    matches.push({ start, end: start + shown.length, term });
  }
  return matches;
}

/** Cheap refusal of ASCII words by their first letter or digit. */
function mayMatch(raw: string, starts: ReadonlySet<number>): boolean {
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code > 127) return true;
    if (code >= 48 && code <= 57) return starts.has(code);
    const lower = code | 32;
    if (lower >= 97 && lower <= 122) return starts.has(lower);
  }
  return false;
}

/** The run of matches, no longer than `length`, with the most different terms, then the most matches. */
function densest(matches: readonly Match[], length: number): { first: number; last: number } | null {
  let best: { first: number; last: number; worth: number } | null = null;
  let first = 0;
  const inside = new Map<number, number>();
  matches.forEach((match, last) => {
    inside.set(match.term, (inside.get(match.term) ?? 0) + 1);
    for (let lead = matches[first]; lead && first < last && match.end - lead.start > length; lead = matches[first]) {
      const left = (inside.get(lead.term) ?? 0) - 1;
      if (left > 0) inside.set(lead.term, left);
      else inside.delete(lead.term);
      first += 1;
    }
    const worth = inside.size * matches.length + (last - first + 1);
    if (!best || worth > best.worth) best = { first, last, worth };
  });
  return best === null ? null : spanOf(matches, best);
}

function spanOf(matches: readonly Match[], run: { first: number; last: number }): { first: number; last: number } | null {
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
  for (let at = from; at < Math.min(stop, from + longestStep); at++) if (isSpace(text, at)) return at + 1;
  return isLowSurrogate(text, from) ? from + 1 : from;
}

function stepBack(text: string, from: number, stop: number): number {
  if (isSpace(text, from)) return from;
  for (let at = from - 1; at >= Math.max(stop, from - longestStep); at--) if (isSpace(text, at)) return at;
  return isLowSurrogate(text, from) ? from - 1 : from;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32 || code === 0xa0 || code === 0x3000;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function markUp(text: string, window: { start: number; end: number }, matches: readonly Match[]): string {
  let html = "";
  let at = window.start;
  for (const match of matches) {
    html += flat(text.slice(at, match.start)) + "<mark>" + flat(text.slice(match.start, match.end)) + "</mark>";
    at = match.end;
  }
  return (html + flat(text.slice(at, window.end))).trim();
}

function flat(text: string): string {
  return escapeHtml(text.replace(/\s+/gu, " "));
}
