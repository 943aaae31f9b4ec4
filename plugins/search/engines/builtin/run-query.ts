import type { SearchQuery, SearchResult, FacetCounts } from "../../contract.js";
import { orderedCounts, type ValueCount } from "../../query/select.js";
import type { Scorer } from "./add-scores.js";
import { type Segment, toDay, columnOf, type Column, hasValue } from "./segment.js";

/** Runs a query over segments: score, filter, count, select the best. */
export function runQuery(
  segments: readonly Segment[],
  query: SearchQuery,
  scorer: Scorer,
): SearchResult {
  const run = new QueryRun(query);
  for (const segment of segments) {
    if (segment.size === 0) continue;
    if (query.terms.length === 0) run.browse(segment);
    else run.rank(segment, scorer);
  }
  return run.result();
}

class QueryRun {
  readonly #query: SearchQuery;
  readonly #top: TopHits;
  readonly #facets: FacetCounter;
  #total = 0;

  constructor(query: SearchQuery) {
    this.#query = query;
    this.#top = new TopHits(query.offset + query.limit);
    this.#facets = new FacetCounter(query.facets);
  }

  /** All documents that pass the filters, in the order of equal scores. */
  browse(segment: Segment): void {
    this.#through(segment, (filter) => {
      for (let doc = 0; doc < segment.size; doc++)
        if (this.#accept(filter, doc)) this.#top.add(segment, doc, 0);
    });
  }

  rank(segment: Segment, scorer: Scorer): void {
    const byDate = this.#query.sort === "date";
    const scored = scorer.score(segment, this.#query.terms, this.#query.text);
    if (scored.count === 0) return;
    this.#through(segment, (filter) => {
      for (let at = 0; at < scored.count; at++) {
        const doc = scored.docs[at] as number;
        const score = scored.scoreOf(doc);
        if (score === 0 || !this.#accept(filter, doc)) continue;
        this.#top.add(segment, doc, byDate ? 0 : score);
      }
    });
    if (byDate) this.#keepScores(segment, scored.scoreOf);
    scorer.clear();
  }

  readonly #scores = new Map<Segment, Map<number, number>>();
  /**
   * With `sort=date` the heap orders by date only; the scores of its hits are looked up at the end.
   */
  #keepScores(segment: Segment, scoreOf: (doc: number) => number): void {
    const ownHits = this.#top.sorted().filter((hit) => hit.segment === segment);
    this.#scores.set(segment, new Map(ownHits.map((hit) => [hit.doc, scoreOf(hit.doc)])));
  }

  #through(segment: Segment, work: (filter: SegmentFilter) => void): void {
    this.#facets.begin(segment);
    work(new SegmentFilter(segment, this.#query));
    this.#facets.end();
  }

  #accept(filter: SegmentFilter, doc: number): boolean {
    const verdict = filter.check(doc);
    if (verdict === REFUSED) return false;
    if (verdict !== PASSES) {
      this.#facets.count(doc, verdict);
      return false;
    }
    this.#facets.countAll(doc);
    this.#total += 1;
    return true;
  }

  result(): SearchResult {
    const hits = this.#top.sorted().slice(this.#query.offset);
    return {
      total: this.#total,
      hits: hits.map(({ segment, doc, score }) => ({
        route: segment.routes[doc] ?? "",
        score: this.#scores.get(segment)?.get(doc) ?? score,
      })),
      facets: this.#facets.result(),
    };
  }
}

/** A document of a segment and its score. */
export interface Hit {
  readonly segment: Segment;
  readonly doc: number;
  readonly score: number;
}

/** Collects the best `limit` hits: a heap with the worst of them on top. */
export class TopHits {
  readonly #heap: Hit[] = [];
  readonly #limit: number;
  #worst = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a hit when it is among the best. */
  add(segment: Segment, doc: number, score: number): void {
    if (this.#heap.length < this.#limit) {
      this.#heap.push({ segment, doc, score });
      this.#up(this.#heap.length - 1);
    } else {
      if (score < this.#worst || this.#limit === 0) return;
      const hit = { segment, doc, score };
      const worst = this.#heap[0];
      if (!worst || !isBetter(hit, worst)) return;
      this.#heap[0] = hit;
      this.#down();
    }
    this.#worst = this.#heap.length < this.#limit ? -Infinity : (this.#heap[0]?.score ?? -Infinity);
  }

  /** The hits, best first. */
  sorted(): Hit[] {
    return [...this.#heap].sort((a, b) => (isBetter(a, b) ? -1 : 1));
  }

  #up(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      const [low, high] = [heap[at], heap[parent]];
      if (!low || !high || !isBetter(high, low)) return;
      heap[at] = high;
      heap[parent] = low;
      at = parent;
    }
  }

  #down(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      const child = this.#worseChild(at);
      const [high, low] = [heap[at], heap[child]];
      if (!high || !low || !isBetter(high, low)) return;
      heap[at] = low;
      heap[child] = high;
      at = child;
    }
  }

  #worseChild(at: number): number {
    const [left, right] = [this.#heap[at * 2 + 1], this.#heap[at * 2 + 2]];
    return left && right && isBetter(left, right) ? at * 2 + 2 : at * 2 + 1;
  }
}

/**
 * Higher score first; then the order of equal scores, which inside a segment is the document's
 * number.
 */
export function isBetter(a: Hit, b: Hit): boolean {
  if (a.score !== b.score) return a.score > b.score;
  if (a.segment === b.segment) return a.doc < b.doc;
  const [left, right] = [a.segment.dates[a.doc] ?? 0, b.segment.dates[b.doc] ?? 0];
  if (left !== right) return left > right;
  return (a.segment.routes[a.doc] ?? "") < (b.segment.routes[b.doc] ?? "");
}

/** Counts facet values over all matches, segment by segment. */
export class FacetCounter {
  readonly #fields: readonly string[];
  readonly #totals: ValueCount[][] = [];
  #segments = 0;
  #columns: (Column | undefined)[] = [];
  #counts: Uint32Array[] = [];

  constructor(fields: readonly string[]) {
    this.#fields = fields;
    for (let at = 0; at < fields.length; at++) this.#totals.push([]);
  }

  /** Starts a segment; call `end` afterwards. */
  begin(segment: Segment): void {
    this.#columns = this.#fields.map((field) => segment.columns.get(columnOf.facet(field)));
    this.#counts = this.#columns.map((column) => new Uint32Array(column?.values.length ?? 0));
  }

  /** Counts a document in every facet. */
  countAll(doc: number): void {
    for (let facet = 0; facet < this.#fields.length; facet++) this.count(doc, facet);
  }

  /** Counts a document in one facet. */
  count(doc: number, facet: number): void {
    const [column, counts] = [this.#columns[facet], this.#counts[facet]];
    if (!column || !counts) return;
    const end = column.starts[doc + 1] as number;
    for (let at = column.starts[doc] as number; at < end; at++) {
      const id = column.ids[at] as number;
      counts[id] = (counts[id] as number) + 1;
    }
  }

  /** Adds the segment's counts to the totals. */
  end(): void {
    this.#totals.forEach((total, facet) => {
      const [values, counts] = [this.#columns[facet]?.values ?? [], this.#counts[facet] ?? []];
      for (let id = 0; id < values.length; id++) {
        const count = counts[id] as number;
        if (count > 0) total.push([values[id] as string, count]);
      }
    });
    this.#segments += 1;
  }

  /** Field to value to count, most frequent first. */
  result(): FacetCounts {
    const fields = this.#fields.map((field, at): [string, Record<string, number>] => {
      const total = this.#totals[at] ?? [];
      return [field, orderedCounts(this.#segments > 1 ? summed(total) : total)];
    });
    return Object.fromEntries(fields);
  }
}

/** One entry per value, however many segments contain it. */
function summed(parts: readonly ValueCount[]): ValueCount[] {
  const sums = new Map<string, number>();
  for (const [value, count] of parts) sums.set(value, (sums.get(value) ?? 0) + count);
  return [...sums];
}

/** Results of `check`, besides the number of the only facet that rejects the document. */
export const PASSES = -1;
/** Rejected by a filter that is not a facet, or by more than one facet. */
export const REFUSED = -2;

interface Rule {
  /** Null: no document of the segment has such a value. */
  readonly column: Column | null;
  readonly allowed: Uint8Array;
  /** Position among the counted facets; `refused` for every other filter. */
  readonly facet: number;
}

/** The filters of a query, prepared for one segment. */
export class SegmentFilter {
  readonly #segment: Segment;
  readonly #rules: Rule[] = [];
  readonly #from: number;
  readonly #to: number;
  /** 1 for documents that `routes` of the query leaves; null: all. */
  readonly #left: Uint8Array | null;

  constructor(segment: Segment, query: SearchQuery) {
    this.#segment = segment;
    const { template, from, to, taxonomy, facets } = query.filters;
    this.#from = from === undefined ? (to === undefined ? 0 : 1) : Math.max(1, toDay(from));
    this.#to = to === undefined ? Infinity : toDay(to);
    this.#left = query.routes === undefined ? null : selectIds(segment, query.routes);
    this.#addAccess(query.access);
    if (query.lang !== null) this.#add("lang", [query.lang, ""]);
    if (template !== undefined) this.#add("template", [template]);
    for (const [name, values] of Object.entries(taxonomy))
      this.#add(columnOf.taxonomy(name), values);
    for (const [field, values] of Object.entries(facets)) {
      const position = query.facets.indexOf(field);
      this.#add(columnOf.facet(field), values, position < 0 ? REFUSED : position);
    }
  }

  /** True when only tombstones can reject a document of the segment. */
  get isOpen(): boolean {
    const isUnlimited = this.#rules.length === 0 && this.#from === 0 && this.#left === null;
    return isUnlimited && this.#segment.deadCount === 0;
  }

  /** `passes`, `refused`, or the position of the only facet that rejects the document. */
  check(doc: number): number {
    if (this.#isOut(doc)) return REFUSED;
    let verdict = PASSES;
    for (const rule of this.#rules) {
      if (rule.column && hasValue(rule.column, rule.allowed, doc)) continue;
      if (rule.facet === REFUSED || verdict !== PASSES) return REFUSED;
      verdict = rule.facet;
    }
    return verdict;
  }

  #isOut(doc: number): boolean {
    if (this.#segment.dead[doc] === 1) return true;
    if (this.#left !== null && this.#left[doc] === 0) return true;
    const day = this.#segment.dates[doc] ?? 0;
    return day < this.#from || day > this.#to;
  }

  #addAccess(keys: readonly string[]): void {
    const column = this.#segment.columns.get("access");
    if (column?.values.every((value) => keys.includes(value))) return;
    this.#add("access", keys);
  }

  #add(name: string, values: readonly string[], facet = REFUSED): void {
    const column = this.#segment.columns.get(name) ?? null;
    const selected = new Set(values);
    const allowed = Uint8Array.from(column?.values ?? [], (value) => (selected.has(value) ? 1 : 0));
    this.#rules.push({ column: allowed.includes(1) ? column : null, allowed, facet });
  }
}

function selectIds(
  { byRoute, size }: Segment,
  { only, except }: NonNullable<SearchQuery["routes"]>,
): Uint8Array {
  const left = new Uint8Array(size).fill(only === null ? 1 : 0);
  const set = (route: string, value: number): void => {
    const doc = byRoute.get(route);
    if (doc !== undefined) left[doc] = value;
  };
  for (const route of only ?? []) set(route, 1);
  for (const route of except) set(route, 0);
  return left;
}
