/** Temporary files left by a process killed during `atomicWrite`. */
import { opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isTemporary } from "#lib/files";

/** Folders of other programs, which name files as they like. */
const FOREIGN = new Set(["node_modules", ".git"]);
/** Time limit of a write of another process (a command), in ms. */
const WAIT_MS = 5_000;

export interface SweepOptions {
  /** Unix ms; younger files belong to running writes. Default: the start of this process. */
  before?: number;
  /** Aborts the sweep. */
  signal?: AbortSignal;
  waitMs?: number;
}

/**
 * Removes temporary files below `root` that are older than `before` and do not change for five
 * seconds. Does not follow links. Resolves with the removed paths; skips unreadable folders.
 */
export async function sweepTemporaries(
  root: string,
  options: SweepOptions = {},
): Promise<string[]> {
  const { before = performance.timeOrigin, signal, waitMs = WAIT_MS } = options;
  const found = new Map<string, number>();
  for await (const file of temporariesBelow(root, signal)) {
    const modified = await modifiedAt(file);
    if (modified !== null && modified < before) found.set(file, modified);
  }
  if (found.size === 0 || !(await hasWaited(waitMs, signal))) return [];
  return removeUnchanged(found);
}

async function removeUnchanged(files: ReadonlyMap<string, number>): Promise<string[]> {
  const removed: string[] = [];
  for (const [file, modified] of files) {
    if ((await modifiedAt(file)) !== modified) continue;
    await rm(file, { force: true });
    removed.push(file);
  }
  return removed;
}

/** One folder at a time: the sweep runs beside requests and must not block their threads. */
async function* temporariesBelow(root: string, signal?: AbortSignal): AsyncGenerator<string> {
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await opendir(folder, { bufferSize: 256 }).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      if (signal?.aborted === true) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !FOREIGN.has(entry.name)) pending.push(path);
      else if (entry.isFile() && isTemporary(path)) yield path;
    }
  }
}

async function hasWaited(waitMs: number, signal?: AbortSignal): Promise<boolean> {
  return delay(waitMs, true, { ref: false, signal }).catch(() => false);
}

async function modifiedAt(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null);
  return found?.mtimeMs ?? null;
}
