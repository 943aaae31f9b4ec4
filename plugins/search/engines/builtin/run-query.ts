import type { SearchQuery, SearchResult } from "../../contract.js";
import { FacetCounter } from "./facet-counter.js";
import type { Scorer } from "./add-scores.js";
import type { Segment } from "./segment.js";
import { PASSES, REFUSED, SegmentFilter } from "./segment-filter.js";
import { TopHits } from "./top-hits.js";

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
    const kept = this.#top.sorted().filter((hit) => hit.segment === segment);
    this.#scores.set(segment, new Map(kept.map((hit) => [hit.doc, scoreOf(hit.doc)])));
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
