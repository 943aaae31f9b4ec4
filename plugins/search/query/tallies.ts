import { createReadStream } from "node:fs";
import type { SearchSummary } from "../contract.js";

const mostListed = 20;
/** Maximum number of distinct queries; further ones only count in the total. */
const mostQueries = 200_000;

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
    } else if (this.#byQuery.size < mostQueries) {
      this.#byQuery.set(query, { count: 1, results });
    }
  }

  /** Adds the first `bytes` of a log as a stream; skips invalid lines. */
  async addFile(file: string, bytes: number): Promise<void> {
    if (bytes === 0) return;
    let rest = "";
    for await (const chunk of createReadStream(file, {
      encoding: "utf8",
      end: bytes - 1,
      highWaterMark: 1 << 18,
    })) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#addLine(line);
    }
    this.#addLine(rest);
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

  #addLine(line: string): void {
    if (!line.startsWith("{")) return;
    try {
      const value: unknown = JSON.parse(line);
      if (isEvent(value)) this.add(value.q, value.n);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}

function mostAsked(rows: readonly Row[]): Row[] {
  return [...rows]
    .sort((a, b) => b.count - a.count || (a.query < b.query ? -1 : 1))
    .slice(0, mostListed);
}

function isEvent(value: unknown): value is { q: string; n: number } {
  if (typeof value !== "object" || value === null) return false;
  const { q, n } = value as Partial<Record<string, unknown>>;
  return typeof q === "string" && typeof n === "number" && Number.isFinite(n);
}
