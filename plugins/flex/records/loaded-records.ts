/** The loaded records of a type, and how they change. */
import type { ContentProblem } from "../../content/contract.js";
import type { FlexType } from "../contract.js";
import { isSameStamp, type FileStamp, type FlexFile } from "./flex-files.js";
import { hashOf, isProblem, type StoredRecord } from "./record-file.js";
import { RecordList } from "./record-list.js";
import type { CachedRecord } from "./record-snapshots.js";
import type { FileProblem } from "../types/type-schema.js";

/** The loaded records of one type. */
export interface Loaded {
  readonly records: Map<string, StoredRecord>;
  readonly problems: Map<string, ContentProblem>;
  /** File state of each record that matches its file. */
  readonly stamps: Map<string, FileStamp>;
  list: RecordList;
  /** True when the snapshot on disk is outdated. */
  isChanged: boolean;
}
/** How a record changed on disk. */
export interface RecordChange {
  readonly op: "create" | "update" | "delete";
  readonly before: StoredRecord | null;
  readonly stored: StoredRecord | null;
}
/** A type without loaded records. */
export function emptyLoaded(type: FlexType): Loaded {
  const records = new Map<string, StoredRecord>();
  const list = new RecordList(type, records);
  return { records, problems: new Map(), stamps: new Map(), list, isChanged: false };
}

/** A record file that was read. */
export interface ReadRecord {
  readonly type: FlexType;
  readonly id: string;
  /** Null for a missing file. */
  readonly file: FlexFile | null;
  readonly read: StoredRecord | FileProblem | null;
}

/** Applies a read record. */
export function setRecord(loaded: Loaded, { type, id, file, read }: ReadRecord): void {
  if (read === null || file === null) return;
  if (isProblem(read)) {
    loaded.problems.set(id, toProblem(`flex-objects/${type.name}/${id}.yaml`, read));
    return;
  }
  loaded.records.set(id, read);
  // A migrated record differs from its file: it is re-read until it is written back.
  if (!read.isMigrated) loaded.stamps.set(id, { mtimeMs: file.mtimeMs, size: file.size });
}

/**
 * True when the loaded record matches the file. This includes the mtime, which records without own
 * times use.
 */
export function isTakenOver({ records, stamps }: Loaded, file: FlexFile): boolean {
  const stored = records.get(file.name);
  if (stored?.hash !== hashOf(file.text)) return false;
  return stored.isMigrated === true || isSameStamp(stamps.get(file.name), file);
}

/** Retains an earlier record whose file cannot be read now. */
export function keepRecord(loaded: Loaded, id: string, { stamp, stored }: CachedRecord): void {
  loaded.records.set(id, stored);
  loaded.stamps.set(id, stamp);
}

/** The records that match their files. */
export function cachedRecords({ records, stamps }: Loaded): ReadonlyMap<string, CachedRecord> {
  const kept = new Map<string, CachedRecord>();
  for (const [id, stamp] of stamps) {
    const stored = records.get(id);
    if (stored !== undefined) kept.set(id, { stamp, stored });
  }
  return kept;
}

/** Replaces a record atomically, so that it is never missing. */
export function replaceRecord(loaded: Loaded, place: ReadRecord): RecordChange | null {
  const { type, id } = place;
  const before = loaded.records.get(id) ?? null;
  loaded.records.delete(id);
  loaded.problems.delete(id);
  loaded.stamps.delete(id);
  loaded.isChanged = true;
  setRecord(loaded, place);
  loaded.list = new RecordList(type, loaded.records);
  const stored = loaded.records.get(id) ?? null;
  if (stored === null) return before === null ? null : { op: "delete", before, stored };
  // Only the mtime has changed, and the record has its own times.
  if (before?.hash === stored.hash && before.json === stored.json) return null;
  return { op: before === null ? "create" : "update", before, stored };
}

/** The problem as reported by `content:check`. */
export function toProblem(
  sourcePath: string,
  { code, message, line }: FileProblem,
): ContentProblem {
  return { sourcePath, severity: "error", code, message, ...(line !== undefined && { line }) };
}
