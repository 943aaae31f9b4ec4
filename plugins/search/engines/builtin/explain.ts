import type { Explanation, SearchQuery, Points, TermMatch } from "../../contract.js";
import { explainMatches } from "../../query/score.js";
import { normalizeText } from "../../query/terms.js";
import { BODY_MASK, POSTING_BITS, termRange, TITLE_BIT } from "./segment.js";
import type { Segment } from "./segment.js";
import type { Slots } from "./slots.js";

interface DocumentPosition {
  readonly segment: Segment;
  readonly doc: number;
}

/**
 * Where a query term occurs in a document; null if it does not. Body counts are limited to five per
 * word.
 */
function matchOf({ segment, doc }: DocumentPosition, term: string, slots: Slots): TermMatch | null {
  const [from, to] = termRange(segment.terms, term);
  const own = segment.postings
    .subarray(segment.starts[from], segment.starts[to])
    .filter((posting) => posting >>> POSTING_BITS === doc);
  if (own.length === 0) return null;
  const places = new Set<number>();
  for (
    let at = segment.extraStarts[from] as number;
    at < (segment.extraStarts[to] as number);
    at++
  ) {
    if (segment.extraDocs[at] === doc) places.add(segment.extraSlots[at] as number);
  }
  const fields = [...places].map((slot) => slots.field(slot)).filter((field) => field !== null);
  return {
    title: own.some((posting) => (posting & TITLE_BIT) !== 0),
    body: own.reduce((sum, posting) => sum + (posting & BODY_MASK), 0),
    taxonomy: places.size - fields.length,
    fields,
  };
}

/** Explains the score of a document; null when no term matches. */
export function explainDocument(
  at: DocumentPosition,
  query: SearchQuery,
  by: { points: Points; slots: Slots },
): Explanation | null {
  const matches = query.terms.map((term) => matchOf(at, term, by.slots));
  if (matches.every((match) => match === null)) return null;
  const exact = normalizeText(at.segment.titles[at.doc] ?? "") === normalizeText(query.text);
  return explainMatches({ terms: query.terms, matches }, exact, by.points);
}
