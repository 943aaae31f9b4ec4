import type { Column } from "./columns.js";

/** Bits of a posting below the document number: body occurrences (0 to 5), then the title. */
export const POSTING_BITS = 4;
export const BODY_MASK = 7;
export const TITLE_BIT = 8;
/** The low bits of a posting: body occurrences and title. */
export const OWN_MASK = 15;

/**
 * A part of the index; only its tombstones change. Documents are numbered in the order of equal
 * scores (newest first, then by route), so the smaller number wins a tie.
 */
export interface Segment {
  readonly size: number;
  readonly routes: readonly string[];
  readonly titles: readonly string[];
  /** Hash of the normalised title, to find exact titles. */
  readonly titleHashes: Uint32Array;
  /** Documents ordered by normalised title. */
  readonly titleOrder: Uint32Array;
  /** As yyyymmdd; 0 when undated. */
  readonly dates: Int32Array;
  /** Sorted by UTF-16 unit. */
  readonly terms: readonly string[];
  /** Postings of term `t` are `postings[starts[t]]` to `postings[starts[t + 1] - 1]`. */
  readonly starts: Uint32Array;
  /** Document number, title bit, body occurrences; one per document that contains the term. */
  readonly postings: Uint32Array;
  /** Occurrences outside title and body: same ranges by term, document and slot beside each other. */
  readonly extraStarts: Uint32Array;
  readonly extraDocs: Uint32Array;
  readonly extraSlots: Uint16Array;
  readonly columns: ReadonlyMap<string, Column>;
  readonly byRoute: ReadonlyMap<string, number>;
  /** 1 for a document that was removed or replaced. */
  readonly dead: Uint8Array;
  deadCount: number;
}

/** The properties of a segment's documents besides their words. */
export type Heads = Pick<
  Segment,
  "size" | "routes" | "titles" | "titleHashes" | "titleOrder" | "dates" | "byRoute"
>;

/** Which documents have which terms. */
export type Postings = Pick<
  Segment,
  "terms" | "starts" | "postings" | "extraStarts" | "extraDocs" | "extraSlots"
>;

/**
 * Creates a segment without tombstones. Lists the fields, because a spread is many times slower.
 */
export function createSegment(of: {
  heads: Heads;
  postings: Postings;
  columns: ReadonlyMap<string, Column>;
}): Segment {
  const { size, routes, titles, titleHashes, titleOrder, dates, byRoute } = of.heads;
  const { terms, starts, postings, extraStarts, extraDocs, extraSlots } = of.postings;
  return {
    size,
    routes,
    titles,
    titleHashes,
    titleOrder,
    dates,
    terms,
    starts,
    postings,
    extraStarts,
    extraDocs,
    extraSlots,
    columns: of.columns,
    byRoute,
    dead: new Uint8Array(size),
    deadCount: 0,
  };
}

/** Range of the terms that begin with `prefix`: `[from, to)`. */
export function termRange(terms: readonly string[], prefix: string): [from: number, to: number] {
  const from = firstWhere(0, terms.length, (at) => (terms[at] ?? "") >= prefix);
  const to = firstWhere(from, terms.length, (at) => !(terms[at] ?? "").startsWith(prefix));
  return [from, to];
}

/** Binary search: the first number for which a monotonic predicate holds. */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Hash of a normalised title. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** YYYY-MM-DD as a number with the same order; 0 for null. */
export function toDay(date: string | null): number {
  return date === null ? 0 : Number(date.slice(0, 4) + date.slice(5, 7) + date.slice(8, 10));
}
