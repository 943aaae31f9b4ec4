/** Source files as snapshot rows, each with its page. */
import { isRecord } from "#kernel";
import { joinEntry, ownFields, type OwnFields, type TreePosition } from "../index/page-entry.js";
import type { IndexedPage } from "../index/indexed-page.js";
import type { SourceIssue } from "../read/front-matter/front-matter.js";
import type { SourceRecord } from "../read/source-record.js";

/** A file and its page: everything needed to restore the entry. */
export interface SnapshotRow {
  record: SourceRecord;
  /** Null for a file that is not a page. */
  page: StoredPage | null;
}
/** The fields of a page that are not in its record. */
export interface StoredPage {
  place: TreePosition;
  own: Omit<OwnFields, "frontmatter"> & {
    /** Absent: that of the record. */
    frontmatter?: OwnFields["frontmatter"];
  };
  warnings: readonly SourceIssue[];
}

/** The row of a page, or of a file that is not a page. */
export function toRow(file: IndexedPage | { record: SourceRecord }): SnapshotRow {
  const { record } = file;
  if (!("entry" in file)) return { record, page: null };
  const { place, entry, warnings } = file;
  const { frontmatter, ...own } = ownFields(entry);
  const isOther = frontmatter !== record.frontmatter;
  return { record, page: { place, own: { ...own, ...(isOther && { frontmatter }) }, warnings } };
}

/** The page of a row. */
export function placedOf(record: SourceRecord, { place, own, warnings }: StoredPage): IndexedPage {
  const { frontmatter = record.frontmatter, ...rest } = own;
  return { record, place, entry: joinEntry(record, place, { ...rest, frontmatter }), warnings };
}

/** True for a row of `toRow`. Detects damage, not malice: only this process writes snapshots. */
export function isRow(value: unknown): value is SnapshotRow {
  if (!isRecord(value) || !isRowRecord(value["record"])) return false;
  const { page } = value;
  if (page === null) return true;
  return (
    isRecord(page) &&
    isRecord(page["place"]) &&
    isRecord(page["own"]) &&
    Array.isArray(page["warnings"])
  );
}

function isRowRecord(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["sourcePath"] === "string" &&
    isRecord(value["frontmatter"]) &&
    "error" in value &&
    Array.isArray(value["warnings"])
  );
}
