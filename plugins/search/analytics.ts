import { engineFailureFields, isRecord, type Logger } from "#kernel";
import type { LogDefinition, RecordLog, RecordStore } from "../records/contract.js";
import type { SearchSummary } from "./contract.js";
import { MAX_QUERY_LENGTH } from "./query/terms.js";

/** One search, as appended to the log; `t` is added when it is written. */
export interface SearchEvent {
  /** Normalised query. */
  readonly q: string;
  /** Total results. */
  readonly n: number;
  readonly ms: number;
  readonly lang: string;
}
const MEGABYTE = 1024 * 1024;
/** Collects lines for this long, so that many searches share one write. */
const GATHERED_MS = 100;
/** Maximum number of lines waiting for the disk; further searches are not recorded. */
const MAX_WAITING = 10_000;

interface Entry extends SearchEvent {
  /** Unix ms. */
  readonly t: number;
}

/** Dependencies and limits of the log. */
export interface AnalyticsOptions {
  readonly records: RecordStore;
  maxMegabytes: number;
  log: Logger;
  /** Unix ms. */
  now(): number;
}

/** The log of searches: appended after the response. */
export class Analytics {
  readonly #options: AnalyticsOptions;
  readonly #definition: LogDefinition<Entry>;
  #waiting: Entry[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #failed = false;
  /** The counts so far, and the last counted entry; null before the first summary and after a failure. */
  #counted: { tallies: Tallies; cursor: string } | null = null;
  #counting: Promise<unknown> = Promise.resolve();

  constructor(options: AnalyticsOptions) {
    this.#options = options;
    this.#definition = {
      name: "search-analytics",
      files: ["search-analytics.jsonl", "search-analytics.jsonl.1"],
      maxBytes: options.maxMegabytes * MEGABYTE,
      parse: (value) => (isEntry(value) ? value : null),
    };
  }

  /** Records a search; returns at once and never throws. */
  record(event: SearchEvent): void {
    if (this.#options.maxMegabytes === 0 || event.q === "") return;
    if (this.#waiting.length >= MAX_WAITING) return;
    const { n, ms, lang } = event;
    this.#waiting.push({
      t: this.#options.now(),
      q: event.q.slice(0, MAX_QUERY_LENGTH),
      n,
      ms,
      lang,
    });
    this.#timer ??= setTimeout(() => this.#flush(), GATHERED_MS).unref();
  }

  /** Resolves when everything recorded so far is written or dropped. */
  async settled(): Promise<void> {
    if (this.#timer !== null) this.#flush();
    while (this.#writing) await this.#writing;
  }

  /** Summarizes the log. @throws errors of the store. */
  async summary(): Promise<SearchSummary> {
    await this.settled();
    const counting = this.#counting.then(() => this.#count());
    this.#counting = counting.catch(() => undefined);
    return (await counting).summary();
  }

  get #records(): RecordLog<Entry> {
    return this.#options.records.log(this.#definition);
  }

  /** Adds what was logged since the last summary; counts again when old entries were deleted. */
  async #count(): Promise<Tallies> {
    const counted = this.#counted;
    this.#counted = null;
    const tallies = counted?.tallies ?? new Tallies();
    const add = ({ q, n }: Entry): void => tallies.add(q, n);
    const cursor = await this.#records.follow(counted?.cursor ?? null, add);
    if (cursor === null) return this.#count();
    this.#counted = { tallies, cursor };
    return tallies;
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      try {
        await this.#records.append(entries);
        this.#failed = false;
      } catch (error) {
        if (!this.#failed)
          this.#options.log.warn("search.analytics_failed", engineFailureFields(error));
        this.#failed = true;
      }
    }
  }
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { q, n } = value;
  return typeof q === "string" && typeof n === "number" && Number.isFinite(n);
}

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
