import type { ContentIndex } from "./content-index.js";
import { haveNewTimes, type KnownFolders } from "./kept-folders.js";
import type { TreeRecords } from "./read-tree.js";
import type { Snapshot } from "./snapshot.js";
import { isAtOrBelow } from "./source-name.js";
import type { SourceRecord } from "./source-record.js";
import { isSameList } from "./tree-problems.js";

/** Share of files that a start rather reads than keeps. */
const worthReading = 0.01;

/** True when both hold the same records: not equal ones, the same. */
export function isSame(
  kept: ReadonlyMap<string, SourceRecord> | undefined,
  now: ReadonlyMap<string, SourceRecord>,
): boolean {
  if (kept === undefined || kept.size !== now.size) return false;
  for (const [path, record] of now) if (kept.get(path) !== record) return false;
  return true;
}

/**
 * True when so few files are others than those kept that the next start reads them again with less
 * effort than keeping all of them anew takes now.
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
  return others <= now.size * worthReading;
}

/** What a folder or link that cannot be read led to stays as it was. */
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

/** True when the tree is what the index was made of. */
export function isSameTree(index: ContentIndex, { records, problems }: TreeRecords): boolean {
  return isSameList(index.treeProblems, problems) && isSame(index.records, records);
}

/** True when the snapshot is as good to the next start as a new one would be. */
export function isKeptBy(snapshot: Snapshot, index: ContentIndex, folders: KnownFolders): boolean {
  if (haveNewTimes(snapshot.folders, folders)) return false;
  return isNearlySame(snapshot.index.records, index.records);
}
