/** Removes lock files of a killed git process, on which every later commit would fail. */
import { rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Git } from "./git.js";

/** Time for a git process that outlived the server to end, in ms. */
const WAIT_MS = 3_000;
/** Tolerance for the coarser times of file systems, in ms. */
const LEEWAY_MS = 2_000;

/**
 * Removes locks created at or after `since` (Unix ms), when the oldest unfinished commit was queued,
 * that still exist after three seconds. Resolves with the names of the removed locks.
 */
export async function removeStaleLocks(git: Git, since: number): Promise<string[]> {
  const files = await lockFiles(git);
  const before = await Promise.all(files.map(stampOf));
  if (before.every((stamp) => stamp === null)) return [];
  await delay(WAIT_MS);
  const after = await Promise.all(files.map(stampOf));
  const stale = files.filter((_, at) => {
    const stamp = after[at] ?? null;
    return stamp !== null && stamp === before[at] && stamp >= since - LEEWAY_MS;
  });
  for (const file of stale) await rm(file, { force: true });
  return stale;
}

async function lockFiles(git: Git): Promise<string[]> {
  const branch = (await git.run(["symbolic-ref", "-q", "HEAD"]).catch(() => "")).trim();
  const names = ["index.lock", "HEAD.lock", ...(branch === "" ? [] : [`${branch}.lock`])];
  const paths = await Promise.all(
    names.map((name) => git.run(["rev-parse", "--git-path", name]).catch(() => "")),
  );
  return paths.filter((path) => path !== "").map((path) => resolve(git.root, path.trimEnd()));
}

async function stampOf(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null);
  return found?.mtimeMs ?? null;
}
