import type { Explanation, SearchQuery } from "../../contract.js";
import { explainMatches } from "../../score.js";
import { normalizeText } from "../../terms.js";
import type { Points, TermMatch } from "../../tools-contract.js";
import { bodyMask, postingBits, termRange, titleBit } from "./segment.js";
import type { Segment } from "./segment.js";
import type { Slots } from "./slots.js";

/** Where one query term occurs in one document; null when it does not. Body counts end at five per word. */
function matchOf(segment: Segment, doc: number, term: string, slots: Slots): TermMatch | null {
  const [from, to] = termRange(segment.terms, term);
  const places = new Set<number>();
  let [found, title, body] = [false, false, 0];
  for (let at = segment.starts[from] ?? 0; at < (segment.starts[to] ?? 0); at++) {
    const posting = segment.postings[at] ?? 0;
    if (posting >>> postingBits !== doc) continue;
    found = true;
    title ||= (posting & titleBit) !== 0;
    body += posting & bodyMask;
  }
  for (let at = segment.extraStarts[from] ?? 0; at < (segment.extraStarts[to] ?? 0); at++) {
    if (segment.extraDocs[at] === doc) places.add(segment.extraSlots[at] ?? 0);
  }
  const fields = [...places].map((slot) => slots.field(slot)).filter((field) => field !== null);
  return found ? { title, body, fields, taxonomy: places.size - fields.length } : null;
}

/** Why a document has its score; null when no term matches it. */
export function explainDocument(
  at: { segment: Segment; doc: number },
  query: SearchQuery,
  by: { points: Points; slots: Slots },
): Explanation | null {
  const matches = query.terms.map((term) => matchOf(at.segment, at.doc, term, by.slots));
  if (matches.every((match) => match === null)) return null;
  const exact = normalizeText(at.segment.titles[at.doc] ?? "") === normalizeText(query.text);
  return explainMatches({ terms: query.terms, matches }, exact, by.points);
}
