/** Decides when a run starts: at an interval, shortly after saves, at once when asked; one at a time. */
import type { Clock, Logger } from "#kernel";
import { GIT_LOCK_FIX } from "#lib/git";

/** After a save, in ms: saves within this time are pushed together. */
const SAVE_DELAY_MS = 2_000;
/** Pause after the first failed run, in ms; it doubles with each further one. */
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 15 * 60_000;

/** The work of the loop, and its interval. */
export interface SyncLoopOptions {
  run(): Promise<void>;
  /** Asked after a run that failed: the lock file that blocks git, from the site root; null: none. */
  lock?(): Promise<string | null>;
  /** Called after each run. */
  ended?(): void;
  /** 0: never by itself. */
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The runs of one process. */
export class SyncLoop {
  readonly #options: SyncLoopOptions;
  #timer: NodeJS.Timeout | null = null;
  /** The time at which the timer fires, in ms of `performance.now()`. */
  #due = Infinity;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #isClosed = false;
  #failures = 0;
  syncedAt: number | null = null;
  failingSince: number | null = null;
  lastError: string | null = null;
  /** The lock file that blocked the last run; null: none did. */
  lock: string | null = null;

  constructor(options: SyncLoopOptions) {
    this.#options = options;
  }

  /** Runs at once; callers during a run share the one that follows it. Never rejects. */
  now(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#running === null) return this.#start();
    this.#next ??= this.#running.then(() => {
      this.#next = null;
      return this.#isClosed ? undefined : this.#start();
    });
    return this.#next;
  }

  /** Runs soon after a save; while the remote is down, at the next attempt. */
  soon(): void {
    if (this.#failures === 0) this.#wait(SAVE_DELAY_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due = Infinity;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      this.#options.ended?.();
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log, intervalMs } = this.#options;
    try {
      await this.#options.run();
      if (this.#failures > 0) log.info("git_sync.recovered", { failures: this.#failures });
      this.#failures = 0;
      this.syncedAt = clock.now();
      [this.failingSince, this.lastError, this.lock] = [null, null, null];
      if (intervalMs > 0) this.#wait(intervalMs);
    } catch (error) {
      if (this.#isClosed) return;
      this.lastError = error instanceof Error ? error.message : String(error);
      const lock = (await this.#options.lock?.().catch(() => null)) ?? null;
      const isNew = this.#failures === 0 || lock !== this.lock;
      this.lock = lock;
      const blocked = lock !== null && { lock, fix: GIT_LOCK_FIX };
      if (isNew) log.error("git_sync.failed", { error: this.lastError, ...blocked });
      this.failingSince ??= clock.now();
      const pause = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
      this.#failures += 1;
      this.#wait(pause);
    }
  }

  /** Waits at most this long. */
  #wait(ms: number): void {
    const due = performance.now() + ms;
    if (this.#isClosed || due >= this.#due) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#due = Infinity;
      void this.now();
    }, ms).unref();
  }
}
