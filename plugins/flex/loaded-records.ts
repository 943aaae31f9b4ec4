/** What is loaded of a type, and how it is changed. */
import type { ContentProblem } from "../content/contract.js";
import type { FlexType } from "./contract.js";
import { isSameStamp, type FileStamp, type FlexFile } from "./flex-files.js";
import { hashOf, isProblem, type StoredRecord } from "./record-file.js";
import { RecordList } from "./record-list.js";
import type { KeptRecord } from "./record-snapshots.js";
import type { FileProblem } from "./type-schema.js";

/** What is loaded of one type. */
export interface Loaded {
  readonly records: Map<string, StoredRecord>;
  readonly problems: Map<string, ContentProblem>;
  /** State of the file of each record that is what its file says. */
  readonly stamps: Map<string, FileStamp>;
  list: RecordList;
  /** True when a snapshot of it would be another one than that on disk. */
  isChanged: boolean;
}
/** How a record changed on disk. */
export interface RecordChange {
  readonly op: "create" | "update" | "delete";
  readonly before: StoredRecord | null;
  readonly stored: StoredRecord | null;
}
/** Nothing of a type. */
export function emptyLoaded(type: FlexType): Loaded {
  const records = new Map<string, StoredRecord>();
  const list = new RecordList(type, records);
  return { records, problems: new Map(), stamps: new Map(), list, isChanged: false };
}

/** A record file as it was read. */
export interface ReadRecord {
  readonly type: FlexType;
  readonly id: string;
  /** Null: there is none. */
  readonly file: FlexFile | null;
  readonly read: StoredRecord | FileProblem | null;
}

/** Takes in what was read. */
export function setRecord(loaded: Loaded, { type, id, file, read }: ReadRecord): void {
  if (read === null || file === null) return;
  if (isProblem(read)) {
    loaded.problems.set(id, toProblem(`flex-objects/${type.name}/${id}.yaml`, read));
    return;
  }
  loaded.records.set(id, read);
  // A migrated record is not what its file says: it is read again until that is written.
  if (!read.isMigrated) loaded.stamps.set(id, { mtimeMs: file.mtimeMs, size: file.size });
}

/**
 * True when the file holds what is loaded. The time counts, too: a record that does not name its times
 * has that of its file.
 */
export function isTakenOver({ records, stamps }: Loaded, file: FlexFile): boolean {
  const stored = records.get(file.name);
  if (stored?.hash !== hashOf(file.text)) return false;
  return stored.isMigrated === true || isSameStamp(stamps.get(file.name), file);
}

/** Takes over a record from before, whose file cannot be read now. */
export function keepRecord(loaded: Loaded, id: string, { stamp, stored }: KeptRecord): void {
  loaded.records.set(id, stored);
  loaded.stamps.set(id, stamp);
}

/** The records that their files alone decide about. */
export function keptRecords({ records, stamps }: Loaded): ReadonlyMap<string, KeptRecord> {
  const kept = new Map<string, KeptRecord>();
  for (const [id, stamp] of stamps) {
    const stored = records.get(id);
    if (stored !== undefined) kept.set(id, { stamp, stored });
  }
  return kept;
}

/** In one step: nobody sees the record missing while it is replaced. */
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
  // Only the time of the file has changed, and the record names its own.
  if (before?.hash === stored.hash && before.json === stored.json) return null;
  return { op: before === null ? "create" : "update", before, stored };
}

/** As `content:check` reports it. */
export function toProblem(
  sourcePath: string,
  { code, message, line }: FileProblem,
): ContentProblem {
  return { sourcePath, severity: "error", code, message, ...(line !== undefined && { line }) };
}
