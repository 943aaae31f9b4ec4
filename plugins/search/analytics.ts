import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { Logger } from "#kernel";
import type { Workers } from "#kernel/internal";
import type { SearchSummary } from "./contract.js";
import { Tallies } from "./query/tallies.js";
import { longestQuery } from "./query/terms.js";

/** One search, as appended to the log; `t` is added when it is written. */
export interface SearchEvent {
  /** Normalised query. */
  readonly q: string;
  /** Total results. */
  readonly n: number;
  readonly ms: number;
  readonly lang: string;
}
const megabyte = 1024 * 1024;
/** Collects lines for this long, so that many searches share one write. */
const gatheredMs = 100;
/** Maximum number of lines waiting for the disk; further searches are not recorded. */
const mostWaiting = 10_000;

const linesShape = z.array(z.object({ line: z.string(), q: z.string(), n: z.number() }));
type Line = z.output<typeof linesShape>[number];
const counts = z.array(z.object({ query: z.string(), count: z.number(), avgResults: z.number() }));
const summaryShape = z.object({
  totalSearches: z.number(),
  topQueries: counts,
  zeroResultQueries: z.array(z.object({ query: z.string(), count: z.number() })),
});

/** What the log works with. */
export interface AnalyticsOptions {
  /** Absolute path. */
  file: string;
  maxMegabytes: number;
  log: Logger;
  /** Unix ms. */
  now(): number;
  /** Of several workers, the leader writes the log. */
  workers?: Workers;
}

/**
 * The log of searches: appended after the response, in two files that share the configured size.
 */
export class Analytics {
  readonly #file: string;
  readonly #limit: number;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #workers: Workers | null;
  #waiting: Line[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #size = -1;
  #failed = false;
  /** Counted on first use, then updated; null again after a log rotation. */
  #tallies: Promise<Tallies> | null = null;

  constructor(options: AnalyticsOptions) {
    this.#file = options.file;
    this.#limit = (options.maxMegabytes * megabyte) / 2;
    this.#log = options.log;
    this.#now = () => options.now();
    this.#workers = options.workers ?? null;
    this.#workers?.handle("search.analytics.add", (input) => {
      for (const line of linesShape.parse(input)) this.#add(line);
    });
    this.#workers?.handle("search.analytics.summary", () => this.summary());
  }

  /** The workers, if another one writes the log. */
  get #leader(): Workers | null {
    return this.#workers?.isLeader === false ? this.#workers : null;
  }

  /** Records a search; returns at once and never throws. */
  record(event: SearchEvent): void {
    if (this.#limit === 0 || event.q === "") return;
    const { n, ms, lang } = event;
    const q = event.q.slice(0, longestQuery);
    this.#add({ line: JSON.stringify({ t: this.#now(), q, n, ms, lang }) + "\n", q, n });
  }

  #add(line: Line): void {
    if (this.#waiting.length >= mostWaiting) return;
    this.#waiting.push(line);
    void this.#tallies?.then((tallies) => tallies.add(line.q, line.n));
    this.#timer ??= setTimeout(() => this.#flush(), gatheredMs).unref();
  }

  /** Resolves when everything recorded so far is written or dropped. */
  async settled(): Promise<void> {
    if (this.#timer !== null) this.#flush();
    while (this.#writing) await this.#writing;
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  /** Summarizes the log. */
  async summary(): Promise<SearchSummary> {
    await this.settled();
    const leader = this.#leader;
    if (leader !== null) {
      return summaryShape.parse(await leader.ask("leader", "search.analytics.summary"));
    }
    this.#tallies ??= this.#count();
    return (await this.#tallies).summary();
  }

  get #older(): string {
    return `${this.#file}.1`;
  }

  async #count(): Promise<Tallies> {
    const tallies = new Tallies();
    // `record` adds what is recorded from here on, so only the present bytes are read.
    for (const file of [this.#older, this.#file]) await tallies.addFile(file, await sizeOf(file));
    return tallies;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#leader === null) await this.#append(lines.map(({ line }) => line).join(""));
        else await this.#leader.ask("leader", "search.analytics.add", lines);
        this.#failed = false;
      } catch (error) {
        if (!this.#failed)
          this.#log.warn("search.analytics.failed", { file: this.#file, error: String(error) });
        this.#failed = true;
      }
    }
  }

  async #append(lines: string): Promise<void> {
    if (this.#size < 0) {
      await mkdir(dirname(this.#file), { recursive: true });
      this.#size = await sizeOf(this.#file);
    }
    if (this.#size > 0 && this.#size + lines.length > this.#limit) {
      await rename(this.#file, this.#older);
      this.#size = 0;
      this.#tallies = null;
    }
    await appendFile(this.#file, lines, { mode: 0o600 });
    this.#size += Buffer.byteLength(lines);
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
