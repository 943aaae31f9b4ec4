/** Announces scheduled pages when they become due (`publication-time.ts` makes them public), also those that did while the site was down. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, atomicWrite, type SiteContext } from "#kernel";
import type { ContentIndex } from "../index/content-index.js";
import type { PageEntry } from "../contract.js";
import { listBoundaries, countPassed } from "./publication-time.js";
import type { Announcer } from "../write/announce.js";
import { scheduledChanges } from "../write/changes.js";

/** The schedule of a site. */
export interface SiteSchedule {
  readonly scheduler: Scheduler;
  readonly seen: SeenMoment;
}

/** Announces pages when they become due, also those that did while the site was down. */
export function announceSchedule(
  { paths, runtime: { clock } }: SiteContext,
  announcer: Announcer,
  index: () => ContentIndex,
): SiteSchedule {
  const scheduler = new Scheduler({
    clock,
    index,
    onDue: (entries) => {
      announcer.due(scheduledChanges(index(), entries));
      void announcer.drained().then(() => seen.note());
    },
  });
  const seen = new SeenMoment(join(paths.runtime, "schedule-seen"), clock, scheduler);
  return { scheduler, seen };
}

/** Clock, pages and callback of the scheduler. */
export interface SchedulerOptions {
  clock: Clock;
  index(): ContentIndex;
  /** Pages that have appeared or disappeared. */
  onDue(entries: readonly PageEntry[]): void;
}

/** Longer timeouts of Node end at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

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
    this.#next = boundaries[countPassed(boundaries, this.#seen)] ?? Number.POSITIVE_INFINITY;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#next === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(this.#next - now, 0), MAX_TIMEOUT_MS);
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
      .entries.filter((entry) => listBoundaries(entry).some((time) => time > from && time <= now));
    this.reset();
    if (due.length > 0) this.#options.onDue(due);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#next = Number.POSITIVE_INFINITY;
  }
}

/**
 * The stored time of the last announcement, so that startup can announce what became due meanwhile. Nothing is
 * stored before `resume`.
 */
export class SeenMoment {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  #noted: Promise<void> | null = null;

  constructor(file: string, clock: Clock, scheduler: Scheduler) {
    this.#file = file;
    this.#clock = clock;
    this.#scheduler = scheduler;
  }

  /** Announces pages that became due since the stored time. */
  async resume(): Promise<void> {
    const now = this.#clock.now();
    const text = await readFile(this.#file, "utf8").catch(() => "");
    const seen = /^\d{1,15}\n?$/.test(text) ? Number(text) : now;
    this.#noted = Promise.resolve();
    // A stored time in the future comes from a wrong clock.
    this.#scheduler.resume(Math.min(seen, now));
    await this.note();
  }

  /** Stores the time, one write at a time. After a failed write, the next startup announces again. */
  async note(): Promise<void> {
    if (this.#noted === null) return;
    this.#noted = this.#noted.then(() => this.#write());
    await this.#noted;
  }

  async #write(): Promise<void> {
    await atomicWrite(this.#file, `${this.#scheduler.seen}\n`).catch(() => undefined);
  }
}
