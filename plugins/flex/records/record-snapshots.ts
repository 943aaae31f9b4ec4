import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, type Logger } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { FlexType } from "../contract.js";
import type { FileStamp } from "./flex-files.js";
import type { StoredRecord } from "./record-file.js";

/** Increase it when parsing changes: records of another version are re-read. */
const VERSION = 1;
/** A file written this shortly before it was read may change again without a new mtime. */
const SETTLED_MS = 2_000;

/** A record as it was read, and the state of its file. */
export interface CachedRecord {
  readonly stamp: FileStamp;
  readonly stored: StoredRecord;
}

/** Snapshots of records by type in the cache folder: reading all files takes seconds. */
export class RecordSnapshots {
  readonly #folder: string;
  readonly #log: Logger;

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  /** The records by id; empty without a snapshot of this schema. */
  async load(type: FlexType): Promise<ReadonlyMap<string, CachedRecord>> {
    const text = await readFile(this.#file(type), "utf8").catch(() => null);
    const rows = text === null ? null : parseRows(text, toIdentity(type));
    return new Map(rows?.map(readRow).filter((row) => row !== null));
  }

  /** Saves records; a failure is logged and only slows the next startup. */
  async save(
    type: FlexType,
    records: ReadonlyMap<string, CachedRecord>,
    now: number,
  ): Promise<void> {
    const rows = [...records]
      .filter(([, { stamp }]) => now - stamp.mtimeMs >= SETTLED_MS)
      .map(([id, { stamp, stored }]) => {
        const { hash, isPublished, json } = stored;
        return [id, stamp.mtimeMs, stamp.size, hash, isPublished, json];
      });
    try {
      await atomicWrite(
        this.#file(type),
        JSON.stringify({ identity: toIdentity(type), records: rows }),
      );
    } catch (error) {
      this.#log.warn("flex.snapshot_not_saved", { type: type.name, error: String(error) });
    }
  }

  #file({ name }: FlexType): string {
    return join(this.#folder, `${name}.json`);
  }
}

function toIdentity(type: FlexType): string {
  return sha256(JSON.stringify([VERSION, type]));
}

/** Null for anything but a snapshot of this identity. */
function parseRows(text: string, identity: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const { identity: stored, records } = value as Record<string, unknown>;
    return stored === identity && Array.isArray(records) ? records : null;
  } catch {
    return null;
  }
}

/** Null for an invalid row. */
function readRow(row: unknown): [string, CachedRecord] | null {
  if (!Array.isArray(row)) return null;
  const [id, mtimeMs, size, hash, isPublished, json] = row as readonly unknown[];
  if (typeof id !== "string" || typeof hash !== "string" || typeof json !== "string") return null;
  if (typeof mtimeMs !== "number" || typeof size !== "number") return null;
  const record = parseRecord(json, id);
  if (record === null || typeof isPublished !== "boolean") return null;
  return [id, { stamp: { mtimeMs, size }, stored: { record, hash, isPublished, json } }];
}

function parseRecord(json: string, id: string): StoredRecord["record"] | null {
  try {
    const value: unknown = JSON.parse(json);
    return isStoredRecord(value) && value._id === id ? Object.freeze(value) : null;
  } catch {
    return null;
  }
}

function isStoredRecord(value: unknown): value is StoredRecord["record"] {
  if (typeof value !== "object" || value === null) return false;
  const { _id, _type, _createdAt, _updatedAt } = value as Record<string, unknown>;
  const isNamed = typeof _id === "string" && typeof _type === "string";
  return isNamed && typeof _createdAt === "number" && typeof _updatedAt === "number";
}
