import type {
  SearchEngine,
  Points,
  Explanation,
  SearchQuery,
  TermMatch,
  SuggestScope,
} from "../../contract.js";
import { explainMatches } from "../../query/score.js";
import { normalizeText, isTerm } from "../../query/terms.js";
import { runQuery } from "./run-query.js";
import { Scorer } from "./add-scores.js";
import { Segments } from "./segments.js";
import {
  Slots,
  termRange,
  BODY_MASK,
  POSTING_BITS,
  TITLE_BIT,
  type Segment,
  hasValue,
  type Column,
  firstWhere,
} from "./segment.js";
import { readSnapshot, writeSnapshot } from "./snapshot.js";

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
      suggestFrom(index.list, prefix, limit, scope),
    words: ({ prefix, shortest, longest }) => {
      const all = index.list.flatMap(({ terms }) => terms.slice(...termRange(terms, prefix)));
      return [...new Set(all)].filter(({ length }) => length >= shortest && length <= longest);
    },
    facetCounts: (query) =>
      runQuery(index.list, { ...query, limit: 0, offset: 0 }, scorer).facets ?? {},
    explain(query, route) {
      const position = index.find(route);
      return position ? explainDocument(position, query, points, index.slots) : null;
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
 * Finds the occurrences of a query term in a document; null without any. Body counts are limited to five per
 * word.
 */
function findMatch(
  { segment, doc }: DocumentPosition,
  term: string,
  slots: Slots,
): TermMatch | null {
  const [from, to] = termRange(segment.terms, term);
  const postings = segment.postings
    .subarray(segment.starts[from], segment.starts[to])
    .filter((posting) => posting >>> POSTING_BITS === doc);
  if (postings.length === 0) return null;
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
    title: postings.some((posting) => (posting & TITLE_BIT) !== 0),
    body: postings.reduce((sum, posting) => sum + (posting & BODY_MASK), 0),
    taxonomy: places.size - fields.length,
    fields,
  };
}

/** Explains the score of a document; null when no term matches. */
export function explainDocument(
  at: DocumentPosition,
  query: SearchQuery,
  points: Points,
  slots: Slots,
): Explanation | null {
  const matches = query.terms.map((term) => findMatch(at, term, slots));
  if (matches.every((match) => match === null)) return null;
  const exact = normalizeText(at.segment.titles[at.doc] ?? "") === normalizeText(query.text);
  return explainMatches(query.terms, matches, exact, points);
}

type Test = (doc: number) => boolean;
const FARTHEST_TITLES = 1000;

/**
 * Titles, then terms by document frequency, that start with the prefix and that the viewer may
 * find.
 */
export function suggestFrom(
  segments: readonly Segment[],
  typed: string,
  limit: number,
  scope: SuggestScope,
): string[] {
  const prefix = normalizeText(typed);
  if (!isTerm(prefix)) return [];
  const tests = segments.map((segment) => createTest(segment, scope));
  const titles = titlesWith(segments, prefix, tests);
  const suggestions = new Map<string, string>();
  for (const title of [
    ...titles,
    ...(titles.length < limit ? termsWith(segments, prefix, tests) : []),
  ]) {
    const key = normalizeText(title);
    if (!suggestions.has(key)) suggestions.set(key, title);
    if (suggestions.size === limit) break;
  }
  return [...suggestions.values()];
}

/** Null when the viewer may find every document of the segment. */
function createTest(segment: Segment, scope: SuggestScope): Test | null {
  const tests: Test[] = [];
  if (segment.deadCount > 0) tests.push((doc) => segment.dead[doc] === 0);
  restrict(tests, segment.columns.get("access"), scope.access);
  if (scope.lang !== null) restrict(tests, segment.columns.get("lang"), [scope.lang, ""]);
  return tests.length === 0 ? null : (doc) => tests.every((test) => test(doc));
}

function restrict(tests: Test[], column: Column | undefined, values: readonly string[]): void {
  if (!column || column.values.every((value) => values.includes(value))) return;
  const allowed = Uint8Array.from(column.values, (value) => (values.includes(value) ? 1 : 0));
  tests.push((doc) => hasValue(column, allowed, doc));
}

function titlesWith(
  segments: readonly Segment[],
  prefix: string,
  tests: readonly (Test | null)[],
): string[] {
  const titles = new Map<string, string>();
  segments.forEach((segment, at) => {
    const key = (rank: number): string =>
      normalizeText(segment.titles[segment.titleOrder[rank] ?? 0] ?? "");
    const from = firstWhere(0, segment.size, (rank) => key(rank) >= prefix);
    for (let rank = from; rank < Math.min(segment.size, from + FARTHEST_TITLES); rank++) {
      const title = key(rank);
      if (!title.startsWith(prefix)) break;
      const doc = segment.titleOrder[rank] ?? 0;
      const isSuggested = title.split(" ").some(isTerm) && (tests[at]?.(doc) ?? true);
      if (isSuggested && !titles.has(title)) titles.set(title, segment.titles[doc] ?? "");
    }
  });
  return [...titles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, title]) => title);
}

function termsWith(
  segments: readonly Segment[],
  prefix: string,
  tests: readonly (Test | null)[],
): string[] {
  const frequency = new Map<string, number>();
  segments.forEach((segment, at) => {
    const test = tests[at] ?? null;
    const [from, to] = termRange(segment.terms, prefix);
    for (let term = from; term < to; term++) {
      const count = countDocuments(segment, term, test);
      const name = segment.terms[term] ?? "";
      if (count > 0) frequency.set(name, (frequency.get(name) ?? 0) + count);
    }
  });
  return [...frequency].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([term]) => term);
}

function countDocuments(segment: Segment, term: number, test: Test | null): number {
  const [from, to] = [segment.starts[term] ?? 0, segment.starts[term + 1] ?? 0];
  if (!test) return to - from;
  let count = 0;
  for (let at = from; at < to; at++)
    if (test((segment.postings[at] ?? 0) >>> POSTING_BITS)) count += 1;
  return count;
}
