/** Stores the time of the last announcement, so that startup can announce what became due meanwhile. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, type Clock, type SiteContext } from "#kernel";
import type { Scheduler } from "./scheduler.js";

/** The stored time of a site; nothing is stored before `resume`. */
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

/** The stored time of this site. */
export function seenMoment({ paths, runtime }: SiteContext, scheduler: Scheduler): SeenMoment {
  return new SeenMoment(join(paths.runtime, "schedule-seen"), runtime.clock, scheduler);
}
