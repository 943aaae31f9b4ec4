import type { ContentIndex } from "../index/content-index.js";
import { haveNewTimes, type CachedFolders } from "../read/listed-folders.js";
import type { TreeRecords } from "../read/read-tree.js";
import type { Snapshot } from "./snapshot.js";
import { isAtOrBelow } from "../read/source-name.js";
import type { SourceRecord } from "../read/source-record.js";
import { isSameList } from "../problems/tree-problems.js";

/** Share of changed files below which re-reading beats rewriting the snapshot. */
const WORTH_READING = 0.01;

/** True when both contain the same record objects. */
export function isSame(
  kept: ReadonlyMap<string, SourceRecord> | undefined,
  now: ReadonlyMap<string, SourceRecord>,
): boolean {
  if (kept === undefined || kept.size !== now.size) return false;
  for (const [path, record] of now) if (kept.get(path) !== record) return false;
  return true;
}

/**
 * True when so few files changed that re-reading them at the next startup is cheaper than rewriting
 * the snapshot.
 */
export function isNearlySame(
  kept: ReadonlyMap<string, SourceRecord>,
  now: ReadonlyMap<string, SourceRecord>,
): boolean {
  if (kept === now) return true;
  if (kept.size !== now.size) return false;
  let others = 0;
  for (const [path, record] of now) {
    const before = kept.get(path);
    if (before === undefined) return false;
    if (before !== record) others += 1;
  }
  return others <= now.size * WORTH_READING;
}

/** Retains the records below unreadable folders and links. */
export function keepUnreadable(
  records: Map<string, SourceRecord>,
  folders: readonly string[],
  before: ReadonlyMap<string, SourceRecord>,
): void {
  for (const folder of folders) {
    for (const [path, record] of before) {
      if (isAtOrBelow(path, folder) && !records.has(path)) records.set(path, record);
    }
  }
}

/** True when the index was built from this tree. */
export function isSameTree(index: ContentIndex, { records, problems }: TreeRecords): boolean {
  return isSameList(index.treeProblems, problems) && isSame(index.records, records);
}

/** True when a new snapshot would not help the next startup. */
export function isStoredIn(
  snapshot: Snapshot,
  index: ContentIndex,
  folders: CachedFolders,
): boolean {
  if (haveNewTimes(snapshot.folders, folders)) return false;
  return isNearlySame(snapshot.index.records, index.records);
}
