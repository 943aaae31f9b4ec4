import type { SearchEngine, Points, Explanation, SearchQuery, TermMatch } from "../../contract.js";
import { explainMatches } from "../../query/score.js";
import { normalizeText } from "../../query/terms.js";
import { runQuery } from "./run-query.js";
import { Scorer } from "./add-scores.js";
import { Segments } from "./segments.js";
import { Slots, termRange, BODY_MASK, POSTING_BITS, TITLE_BIT, type Segment } from "./segment.js";
import { readSnapshot, writeSnapshot } from "./snapshot.js";
import { suggestFrom } from "./suggest.js";

/** The default engine: a compact inverted index in memory with the default score. */
export function createBuiltinEngine(points: Points): Required<SearchEngine> {
  let index = new Segments([], new Slots());
  let scorer = new Scorer(points, index.slots);
  const use = (next: Segments): void => {
    index.close();
    index = next;
    scorer = new Scorer(points, next.slots);
  };
  return {
    async build(documents) {
      use(await Segments.build(documents, new Slots()));
    },
    async update({ upsert, remove }) {
      index.update(upsert, remove);
    },
    search: (query) => runQuery(index.list, query, scorer),
    suggest: (prefix, limit, scope = { access: [""], lang: null }) =>
      suggestFrom(index.list, { prefix, limit }, scope),
    words: ({ prefix, shortest, longest }) => {
      const all = index.list.flatMap(({ terms }) => terms.slice(...termRange(terms, prefix)));
      return [...new Set(all)].filter(({ length }) => length >= shortest && length <= longest);
    },
    facetCounts: (query) =>
      runQuery(index.list, { ...query, limit: 0, offset: 0 }, scorer).facets ?? {},
    explain(query, route) {
      const found = index.find(route);
      return found ? explainDocument(found, query, { points, slots: index.slots }) : null;
    },
    async save() {
      await index.settled();
      return writeSnapshot({ segments: index.list, slots: index.slots });
    },
    async load(bytes) {
      const snapshot = await readSnapshot(bytes);
      if (snapshot) use(new Segments(snapshot.segments, snapshot.slots));
      return snapshot !== null;
    },
    close: () => index.close(),
  };
}

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
