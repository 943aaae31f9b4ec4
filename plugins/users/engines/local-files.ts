import { readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { atomicWrite } from "#kernel";
import { errorCode } from "#lib/errors";
import { isTemporary, FileLock } from "#lib/files";

/** Files read in parallel. */
const CONCURRENCY = 32;

/** Names of the JSON files of a folder, without extension; empty if the folder does not exist. */
export async function jsonNames(folder: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  return names
    .filter((name) => name.endsWith(".json") && !isTemporary(name))
    .map((name) => basename(name, ".json"));
}

/** The text of a file, or null if it does not exist. */
export function readText(file: string): Promise<string | null> {
  return unlessMissing(readFile(file, "utf8"));
}

/** Writes indented JSON atomically. */
export function writeJson(file: string, value: unknown): Promise<void> {
  return atomicWrite(file, `${JSON.stringify(value, null, 2)}\n`);
}

export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Renames an unreadable file so that it is no longer taken for a record. */
export async function putAside(file: string, now: number): Promise<void> {
  await unlessMissing(rename(file, `${file}.corrupt-${now}`));
}

/** Removes leftovers of interrupted writes. Only call while holding the folder's lock. */
export async function removeTemporary(folder: string): Promise<void> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  for (const name of names.filter(isTemporary)) await removeFile(join(folder, name));
}

/** Runs `work` on every item, a few at a time. */
export async function runOnEach<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const code = errorCode(error);
    // A name that no file can have counts as a missing file.
    if (code === "ENOENT" || code === "ENAMETOOLONG") return null;
    throw error;
  }
}

/**
 * Serialises writers of an accounts folder.
 * @throws ERR_USER_STORE_LOCKED (503) when the wait is too long.
 */
export function accountLock(folder: string): FileLock {
  return new FileLock(join(folder, ".lock"), {
    code: "ERR_USER_STORE_LOCKED",
    message: `${JSON.stringify(folder)} is locked by another process`,
    fix: "end the process that holds the lock",
  });
}
