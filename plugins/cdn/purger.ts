import type { Clock, Logger } from "#kernel";
import type { CdnProvider, CdnStatus } from "./contract.js";
import { CdnRefusal } from "./errors.js";

/** Waits before the next attempt after a failure, in ms; the last one stays. */
const BACK_OFF = [1_000, 5_000, 25_000, 60_000, 300_000];
/** Above so many addresses it is less work to purge everything. */
const MOST_PENDING = 10_000;

/** What a purger works with. */
export interface PurgerOptions {
  provider: CdnProvider;
  name: string;
  batchSize: number;
  batchDelayMs: number;
  clock: Clock;
  log: Logger;
  /** Everything is about to be purged. */
  onEmptying(): void;
  /** Default: 1, 5, 25, 60, then every 300 s. */
  backOff?: readonly number[];
}

/**
 * Addresses on their way to the provider: gathered into batches, one batch at a time, tried again
 * until it is accepted. Nobody waits for it.
 */
export class Purger {
  readonly #options: PurgerOptions;
  readonly #pending = new Set<string>();
  #everything = false;
  #isEmptying = false;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> | null = null;
  #isClosed = false;
  #failedInARow = 0;
  #inFlight = 0;
  #purged = 0;
  #emptied = 0;
  #failures = 0;
  #lastError: string | null = null;
  #lastSuccess: string | null = null;

  constructor(options: PurgerOptions) {
    this.#options = options;
  }

  add(urls: Iterable<string>): void {
    if (!this.#everything) for (const url of urls) this.#pending.add(url);
    if (this.#pending.size > MOST_PENDING) this.addEverything();
    else this.#wake();
  }

  addEverything(): void {
    this.#everything = true;
    this.#pending.clear();
    this.#wake();
  }

  /** True while `onEmptying` is told. */
  get isEmptying(): boolean {
    return this.#isEmptying;
  }

  status(): CdnStatus {
    return {
      provider: this.#options.name,
      pending: this.#pending.size + this.#inFlight,
      everything: this.#everything,
      purged: this.#purged,
      emptied: this.#emptied,
      failures: this.#failures,
      lastError: this.#lastError,
      lastSuccess: this.#lastSuccess,
    };
  }

  /** Sends at once what waits; throws what the provider said when an attempt fails. */
  async settled(): Promise<void> {
    await this.#work;
    this.#stopTimer();
    while (this.#hasMore()) await this.#sendNext();
  }

  /** One last attempt, up to `limitMs`; what is left is told. */
  async close(limitMs: number): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    const over = new Promise<void>((resolve) => void setTimeout(resolve, limitMs).unref());
    const last = this.settled().catch((error: unknown) => this.#failed(error));
    await Promise.race([last, over]);
    const { pending, everything } = this.status();
    if (pending > 0 || everything) this.#options.log.warn("cdn.left", { pending, everything });
  }

  #hasMore(): boolean {
    return this.#everything || this.#pending.size > 0;
  }

  #wake(): void {
    // A failure has set its own time; a batch under way takes on the next one by itself.
    if (this.#isClosed || this.#work !== null || this.#failedInARow > 0) return;
    const isFull = this.#everything || this.#pending.size >= this.#size;
    // Not before everything that changes in this tick has been told.
    if (isFull) this.#startAfter(0);
    else if (this.#pending.size > 0 && this.#timer === null)
      this.#startAfter(this.#options.batchDelayMs);
  }

  #startAfter(ms: number): void {
    this.#stopTimer();
    this.#timer = setTimeout(() => this.#start(), ms);
    this.#timer.unref();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #start(): void {
    this.#stopTimer();
    if (this.#isClosed || this.#work !== null) return;
    this.#work = this.#drain().finally(() => {
      this.#work = null;
      this.#wake();
    });
  }

  async #drain(): Promise<void> {
    try {
      while (this.#hasMore() && !this.#isClosed) await this.#sendNext();
    } catch (error) {
      this.#failed(error);
      this.#startAfter(this.#waitAfter(error));
    }
  }

  get #size(): number {
    return Math.min(this.#options.batchSize, this.#options.provider.most);
  }

  async #sendNext(): Promise<void> {
    if (this.#everything) await this.#empty();
    else await this.#sendBatch();
    this.#failedInARow = 0;
    this.#lastError = null;
    this.#lastSuccess = new Date(this.#options.clock.now()).toISOString();
  }

  async #empty(): Promise<void> {
    // What comes while the request is under way may be missed by it.
    this.#everything = false;
    this.#isEmptying = true;
    this.#options.onEmptying();
    this.#isEmptying = false;
    try {
      await this.#options.provider.purgeEverything();
    } catch (error) {
      this.addEverything();
      throw error;
    }
    this.#emptied += 1;
    this.#options.log.info("cdn.emptied", { provider: this.#options.name });
  }

  async #sendBatch(): Promise<void> {
    const batch = [...this.#pending].slice(0, this.#size);
    for (const url of batch) this.#pending.delete(url);
    this.#inFlight = batch.length;
    try {
      await this.#options.provider.purge(batch);
    } catch (error) {
      this.add(batch);
      throw error;
    } finally {
      this.#inFlight = 0;
    }
    this.#purged += batch.length;
    this.#options.log.debug("cdn.purged", { provider: this.#options.name, urls: batch.length });
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    this.#failedInARow += 1;
    this.#lastError = error instanceof Error ? error.message : String(error);
    const { name, log } = this.#options;
    const { pending, everything } = this.status();
    log.warn("cdn.failed", { provider: name, error: this.#lastError, pending, everything });
  }

  #waitAfter(error: unknown): number {
    const { backOff = BACK_OFF } = this.#options;
    const own = backOff[Math.min(this.#failedInARow, backOff.length) - 1] ?? 0;
    const asked = error instanceof CdnRefusal ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(own, Math.min(asked, 300_000));
  }
}
