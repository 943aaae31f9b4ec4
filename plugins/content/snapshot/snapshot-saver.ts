/** Writes snapshots with a delay, once for many changes. */
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "#kernel";
import { writeSnapshot, type Snapshot } from "./snapshot.js";

// Write after this much quiet time, or at the latest after `longestMs`. After a crash, files that the
// snapshot lacks are read again.
const quietMs = 2000;
const longestMs = 60_000;

/** A snapshot with the stamp of its rules. */
export interface Saved extends Snapshot {
  stamp: string;
}

/** How snapshots are written. */
export interface SaverOptions {
  readonly log: Logger;
  /** False: another process writes the file. Default: true. */
  savesSnapshot?(): boolean;
}

/** Keeps one file up to date. */
export class SnapshotSaver {
  readonly #file: string;
  readonly #options: SaverOptions;
  readonly #state: () => Saved;
  readonly #closing = new AbortController();
  #due: Promise<void> | null = null;
  #changedAt = 0;

  /** `state` is called when the snapshot is written. */
  constructor(file: string, options: SaverOptions, state: () => Saved) {
    this.#file = file;
    this.#options = options;
    this.#state = state;
  }

  /** Schedules a write after a change. */
  saveLater(): void {
    this.#changedAt = performance.now();
    this.#due ??= this.#saveAfterPause();
  }

  async #saveAfterPause(): Promise<void> {
    const { signal } = this.#closing;
    const latest = performance.now() + longestMs;
    const wait = (): number => Math.min(this.#changedAt + quietMs, latest) - performance.now();
    // Closing ends the delay, not the write.
    for (let ms = wait(); ms > 0 && !signal.aborted; ms = wait()) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#due = null;
    if (this.#options.savesSnapshot?.() === false) return;
    try {
      const { stamp, ...snapshot } = this.#state();
      await writeSnapshot(this.#file, stamp, snapshot);
    } catch (error) {
      this.#options.log.warn("content.snapshot.failed", { error: String(error) });
    }
  }

  /** Writes a due snapshot now. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#due;
  }
}
