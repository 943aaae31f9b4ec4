/** The records of the last run on disk, so that a start reads only what has changed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { atomicWrite } from "#kernel";
import type { KnownFolders } from "./kept-folders.js";
import type { SourceRecord } from "./source-record.js";

/** Records and when they were written. */
export interface Snapshot {
  records: ReadonlyMap<string, SourceRecord>;
  folders: KnownFolders;
  /** Unix ms. */
  writtenAt: number;
}

// Raised whenever a file of the same bytes would give another record.
const format = 3;
// Requests wait while a line is written or read: about half a millisecond.
const recordsPerLine = 100;

/** Absolute path of the snapshot in the cache folder. */
export function snapshotPath(cacheFolder: string): string {
  return join(cacheFolder, "content-index.ndjson");
}

/** Reads a snapshot; null when there is none, or it is of another format, for other rules, or damaged. */
export async function readSnapshot(file: string, stamp: string): Promise<Snapshot | null> {
  try {
    const [head = "", folders = "", ...lines] = (await readFile(file, "utf8")).split("\n");
    const header: unknown = JSON.parse(head);
    const count = headerCount(header, stamp);
    if (count === null) return null;
    const records = new Map<string, SourceRecord>();
    for (const line of lines) {
      if (line === "") continue;
      for (const record of parseLine(line)) records.set(record.sourcePath, record);
      await nextTurn();
    }
    if (records.size !== count) return null;
    return { records, folders: parseFolders(folders), writtenAt: writtenAtOf(header) };
  } catch (error) {
    // A cache that cannot be read is no cache.
    return error instanceof Error ? null : Promise.reject(error);
  }
}

/** Writes a snapshot in place of the last one. */
export async function writeSnapshot(
  file: string,
  stamp: string,
  { records, folders, writtenAt }: Snapshot,
): Promise<void> {
  const lines = async function* (): AsyncGenerator<Buffer> {
    yield toLine({ format, stamp, count: records.size, writtenAt });
    yield toLine([...folders].map(([path, { time, hasOthers }]) => [path, time, hasOthers]));
    const all = [...records.values()];
    for (let at = 0; at < all.length; at += recordsPerLine) {
      await nextTurn();
      yield toLine(all.slice(at, at + recordsPerLine));
    }
  };
  await atomicWrite(file, lines(), { mode: 0o600 });
}

function toLine(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function headerCount(header: unknown, stamp: string): number | null {
  if (typeof header !== "object" || header === null) return null;
  if (!("format" in header) || header.format !== format) return null;
  if (!("stamp" in header) || header.stamp !== stamp) return null;
  return "count" in header && typeof header.count === "number" ? header.count : null;
}

function writtenAtOf(header: unknown): number {
  const has = typeof header === "object" && header !== null && "writtenAt" in header;
  return has && typeof header.writtenAt === "number" ? header.writtenAt : 0;
}

function parseFolders(line: string): KnownFolders {
  const list: unknown = JSON.parse(line);
  if (!Array.isArray(list) || !list.every(isFolder)) throw new Error("not a list of folders");
  return new Map(list.map(([path, time, hasOthers]) => [path, { time, hasOthers }]));
}

function isFolder(value: unknown): value is [path: string, time: number, hasOthers: boolean] {
  if (!Array.isArray(value)) return false;
  const [path, time, hasOthers]: unknown[] = value;
  return typeof path === "string" && typeof time === "number" && typeof hasOthers === "boolean";
}

function parseLine(line: string): SourceRecord[] {
  const list: unknown = JSON.parse(line);
  if (!Array.isArray(list) || !list.every(isRecord)) throw new Error("not a list of records");
  return list;
}

function isRecord(value: unknown): value is SourceRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "sourcePath" in value &&
    typeof value.sourcePath === "string" &&
    "frontmatter" in value &&
    typeof value.frontmatter === "object" &&
    "error" in value &&
    "warnings" in value &&
    Array.isArray(value.warnings)
  );
}
