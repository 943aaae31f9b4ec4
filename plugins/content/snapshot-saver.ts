/** Writes snapshots a while after changes, once for many of them. */
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "#kernel";
import { writeSnapshot, type Snapshot } from "./snapshot.js";

// The snapshot is written once nothing has changed for this long, and while changes go on at least
// so often: what it does not know yet is read again after a crash, nothing is lost.
const quietMs = 2000;
const longestMs = 60_000;

/** What a snapshot says, and the rules that it is true for. */
export interface Saved extends Snapshot {
  stamp: string;
}

/** Keeps one file up to date. */
export class SnapshotSaver {
  readonly #file: string;
  readonly #log: Logger;
  readonly #state: () => Saved;
  readonly #closing = new AbortController();
  #due: Promise<void> | null = null;
  #changedAt = 0;

  /** `state`: asked for when it is written. */
  constructor(file: string, log: Logger, state: () => Saved) {
    this.#file = file;
    this.#log = log;
    this.#state = state;
  }

  /** Something has changed. */
  saveLater(): void {
    this.#changedAt = performance.now();
    this.#due ??= this.#saveAfterPause();
  }

  async #saveAfterPause(): Promise<void> {
    const { signal } = this.#closing;
    const latest = performance.now() + longestMs;
    const wait = (): number => Math.min(this.#changedAt + quietMs, latest) - performance.now();
    // Closing ends the pause, not the write.
    for (let ms = wait(); ms > 0 && !signal.aborted; ms = wait()) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#due = null;
    try {
      const { stamp, ...snapshot } = this.#state();
      await writeSnapshot(this.#file, stamp, snapshot);
    } catch (error) {
      this.#log.warn("content.snapshot.failed", { error: String(error) });
    }
  }

  /** Writes now what is due. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#due;
  }
}
