/** Detects when a scheduled page becomes due. */
import type { Clock } from "#kernel";
import type { ContentIndex } from "../index/content-index.js";
import type { PageEntry } from "../contract.js";
import { boundariesOf } from "../index/schedule.js";
import { epochOf } from "../view/visible-lists.js";

/** What the scheduler needs. */
export interface SchedulerOptions {
  clock: Clock;
  index(): ContentIndex;
  /** Pages that have appeared or disappeared. */
  onDue(entries: readonly PageEntry[]): void;
}

const longestTimeoutMs = 2 ** 31 - 1;

/**
 * Calls `onDue` once per boundary: by a timer, or earlier when `check` sees a later time than
 * the timer (after a clock jump).
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  #seen: number;
  #next = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#seen = options.clock.now();
  }

  /** Unix ms: what became due up to then has been announced. */
  get seen(): number {
    const now = this.#options.clock.now();
    return now < this.#next ? Math.max(now, this.#seen) : this.#seen;
  }

  /** Starts with the boundaries since an earlier run. */
  resume(seen: number): void {
    this.#seen = seen;
    this.reset();
    this.check(this.#options.clock.now());
  }

  /** Reads the boundaries of the current generation. */
  reset(): void {
    const { clock, index } = this.#options;
    const now = clock.now();
    const { boundaries } = index();
    this.#next = boundaries[epochOf(boundaries, this.#seen)] ?? Number.POSITIVE_INFINITY;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#next === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(this.#next - now, 0), longestTimeoutMs);
    this.#timer = setTimeout(() => this.#wake(), wait);
    this.#timer.unref();
  }

  #wake(): void {
    const before = this.#next;
    this.check(this.#options.clock.now());
    // Woken early (frozen clock, or timeout limit): check again later, not immediately.
    if (this.#next !== before) return;
    this.#timer = setTimeout(() => this.#wake(), 1000);
    this.#timer.unref();
  }

  /** Announces pages that are due at `now`. Usually costs one comparison. */
  check(now: number): void {
    if (now < this.#next) return;
    const from = this.#seen;
    this.#seen = now;
    const due = this.#options
      .index()
      .entries.filter((entry) => boundariesOf(entry).some((time) => time > from && time <= now));
    this.reset();
    if (due.length > 0) this.#options.onDue(due);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#next = Number.POSITIVE_INFINITY;
  }
}
