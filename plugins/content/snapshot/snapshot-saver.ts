/** Writes snapshots with a delay, once for many changes. */
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "#kernel";
import type { StoreOptions } from "../index/store-options.js";
import { readSnapshot, writeSnapshot, type Snapshot } from "./snapshot.js";

// Write after this much quiet time, or at the latest after `longestMs`. After a crash, files that the
// snapshot lacks are read again.
const QUIET_MS = 2000;
const MAX_WAIT_MS = 60_000;

/** A snapshot with the stamp of its rules. */
export interface Saved extends Snapshot {
  stamp: string;
}

/** How snapshots are written. */
export interface SaverOptions {
  readonly log: Logger;
  /** False: another process writes the file. Default: true. */
  savesSnapshot?(): boolean;
  /** Gets what writes a due snapshot, for workers that are about to read it. */
  shareSaving?(save: () => Promise<void>): void;
}

/** The snapshot of the last generation, after the process that writes it has saved; null without one. */
export async function readSaved(
  {
    snapshotFile,
    whenSaved,
    lastRun,
    log,
  }: Pick<StoreOptions, "snapshotFile" | "whenSaved" | "lastRun" | "log">,
  stamp: string,
): Promise<Snapshot | null> {
  if (snapshotFile === null) return null;
  await whenSaved?.();
  const snapshot = await readSnapshot(snapshotFile, stamp);
  lastRun?.note(snapshot?.index ?? null);
  if (snapshot !== null) log.info("content.loaded", { pages: snapshot.index.entries.length });
  return snapshot;
}

/** Keeps one file up to date. */
export class SnapshotSaver {
  readonly #file: string;
  readonly #options: SaverOptions;
  readonly #state: () => Saved;
  readonly #closing = new AbortController();
  /** Ends the pause before a due write. */
  #hurry = new AbortController();
  #isDue = false;
  #changedAt = 0;
  #written: Promise<void> = Promise.resolve();

  /** `state` is called when the snapshot is written. */
  constructor(file: string, options: SaverOptions, state: () => Saved) {
    this.#file = file;
    this.#options = options;
    this.#state = state;
    options.shareSaving?.(() => this.saveNow());
  }

  /** Schedules a write after a change. */
  saveLater(): void {
    this.#changedAt = performance.now();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#hurry = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, this.#hurry.signal]);
    this.#written = this.#saveAfterPause(signal, this.#written);
  }

  /** Writes a due snapshot now; resolves when it is on the disk. */
  async saveNow(): Promise<void> {
    this.#hurry.abort();
    await this.#written;
  }

  async #saveAfterPause(signal: AbortSignal, before: Promise<void>): Promise<void> {
    const latest = performance.now() + MAX_WAIT_MS;
    const wait = (): number => Math.min(this.#changedAt + QUIET_MS, latest) - performance.now();
    // Closing ends the delay, not the write.
    for (let ms = wait(); ms > 0 && !signal.aborted; ms = wait()) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await before;
    this.#isDue = false;
    if (this.#options.savesSnapshot?.() === false) return;
    try {
      const { stamp, ...snapshot } = this.#state();
      await writeSnapshot(this.#file, stamp, snapshot);
    } catch (error) {
      this.#options.log.warn("content.snapshot_failed", { error: String(error) });
    }
  }

  /** Writes a due snapshot now. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#written;
  }
}
