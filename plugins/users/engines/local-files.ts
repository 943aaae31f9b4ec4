import { readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { atomicWrite, errorCode, isTemporary } from "#kernel";

/** Files read at once. */
const CONCURRENCY = 32;

/** Names of the JSON files of a folder, without extension; none when there is no such folder. */
export async function jsonNames(folder: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  return names
    .filter((name) => name.endsWith(".json") && !isTemporary(name))
    .map((name) => basename(name, ".json"));
}

/** The text of a file, null when there is none. */
export function readText(file: string): Promise<string | null> {
  return unlessMissing(readFile(file, "utf8"));
}

/** JSON as people read it in a diff, whole or not at all. */
export function writeJson(file: string, value: unknown): Promise<void> {
  return atomicWrite(file, `${JSON.stringify(value, null, 2)}\n`);
}

export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Puts an unreadable file aside, where nobody takes it for a record. */
export async function putAside(file: string, now: number): Promise<void> {
  await unlessMissing(rename(file, `${file}.corrupt-${now}`));
}

/** Removes what interrupted writes have left. Only under the lock of the folder. */
export async function removeTemporary(folder: string): Promise<void> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  for (const name of names.filter(isTemporary)) await removeFile(join(folder, name));
}

/** `work` on every item, a few at a time. */
export async function forEachOf<T>(
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
    // A name that no file can have is a file that is not there.
    if (code === "ENOENT" || code === "ENAMETOOLONG") return null;
    throw error;
  }
}
