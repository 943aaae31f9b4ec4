/** Temporary files left by a process killed during `atomicWrite`. */
import { opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isTemporary } from "./files.js";

/** Folders of other programs, which name files as they like. */
const FOREIGN = new Set(["node_modules", ".git"]);
/** Time limit of a write of another process (a command), in ms. */
const WAIT_MS = 5_000;

/** Which files a sweep removes, and when it ends. */
export interface SweepOptions {
  /** Unix ms; younger files belong to running writes. Default: the start of this process. */
  before?: number;
  /** Aborts the sweep. */
  signal?: AbortSignal;
  waitMs?: number;
  /** False: only the files right in the folder, for one that other programs own. Default true. */
  isDeep?: boolean;
}

/**
 * Removes temporary files below `root` that are older than `before` and do not change for five
 * seconds. Does not follow links. Resolves with the removed paths; skips unreadable folders.
 */
export async function sweepTemporaries(
  root: string,
  options: SweepOptions = {},
): Promise<string[]> {
  const { before = performance.timeOrigin, signal, waitMs = WAIT_MS, isDeep = true } = options;
  const old = new Map<string, number>();
  for await (const file of temporariesBelow(root, isDeep, signal)) {
    const modified = await readModified(file);
    if (modified !== null && modified < before) old.set(file, modified);
  }
  if (old.size === 0) return [];
  const hasWaited = await delay(waitMs, true, { ref: false, signal }).catch(() => false);
  return hasWaited ? removeUnchanged(old) : [];
}

async function removeUnchanged(files: ReadonlyMap<string, number>): Promise<string[]> {
  const removed: string[] = [];
  for (const [file, modified] of files) {
    if ((await readModified(file)) !== modified) continue;
    await rm(file, { force: true });
    removed.push(file);
  }
  return removed;
}

/** One folder at a time: the sweep runs beside requests and must not block their threads. */
async function* temporariesBelow(
  root: string,
  isDeep: boolean,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await opendir(folder, { bufferSize: 256 }).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      if (signal?.aborted === true) return;
      const path = join(folder, entry.name);
      if (isDeep && entry.isDirectory() && !FOREIGN.has(entry.name)) pending.push(path);
      else if (entry.isFile() && isTemporary(path)) yield path;
    }
  }
}

async function readModified(file: string): Promise<number | null> {
  const stats = await stat(file).catch(() => null);
  return stats?.mtimeMs ?? null;
}
