/** Until when the schedule has been told: what passes while nobody serves is told at the next start. */
import { readFile } from "node:fs/promises";
import { atomicWrite, type Clock } from "#kernel";
import type { Scheduler } from "./scheduler.js";

/** The note of a site; nothing is noted before `resume`. */
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

  /** Tells what has become due since the note of a former run. */
  async resume(): Promise<void> {
    const now = this.#clock.now();
    const text = await readFile(this.#file, "utf8").catch(() => "");
    const seen = /^\d{1,15}\n?$/.test(text) ? Number(text) : now;
    this.#noted = Promise.resolve();
    // A note that lies ahead is of another clock.
    this.#scheduler.resume(Math.min(seen, now));
    await this.note();
  }

  /** Notes the moment, one note after the other; the disk may refuse, and it is told once more then. */
  async note(): Promise<void> {
    if (this.#noted === null) return;
    this.#noted = this.#noted.then(() => this.#write());
    await this.#noted;
  }

  async #write(): Promise<void> {
    await atomicWrite(this.#file, `${this.#scheduler.seen}\n`).catch(() => undefined);
  }
}
