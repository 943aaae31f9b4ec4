import type { SearchSummary } from "../contract.js";

const MAX_LISTED = 20;
/** Maximum number of distinct queries; further ones only count in the total. */
const MAX_QUERIES = 200_000;

interface Tally {
  count: number;
  results: number;
}
interface Row extends Tally {
  query: string;
}

/** Counts how often each query was sent and its results. */
export class Tallies {
  readonly #byQuery = new Map<string, Tally>();
  #total = 0;

  add(query: string, results: number): void {
    this.#total += 1;
    const tally = this.#byQuery.get(query);
    if (tally) {
      tally.count += 1;
      tally.results += results;
    } else if (this.#byQuery.size < MAX_QUERIES) {
      this.#byQuery.set(query, { count: 1, results });
    }
  }

  summary(): SearchSummary {
    const rows: Row[] = [...this.#byQuery].map(([query, tally]) => ({ query, ...tally }));
    const zero = rows.filter(({ results }) => results === 0);
    return {
      totalSearches: this.#total,
      topQueries: mostAsked(rows).map(({ query, count, results }) => ({
        query,
        count,
        avgResults: Math.round(results / count),
      })),
      zeroResultQueries: mostAsked(zero).map(({ query, count }) => ({ query, count })),
    };
  }
}

function mostAsked(rows: readonly Row[]): Row[] {
  return [...rows]
    .sort((a, b) => b.count - a.count || (a.query < b.query ? -1 : 1))
    .slice(0, MAX_LISTED);
}
