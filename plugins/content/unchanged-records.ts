import type { SourceRecord } from "./source-record.js";

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

/** What lay in a folder that cannot be read stays as it was. */
export function keepUnreadable(
  records: Map<string, SourceRecord>,
  folders: readonly string[],
  before: ReadonlyMap<string, SourceRecord>,
): void {
  for (const folder of folders) {
    for (const [path, record] of before)
      if (path.startsWith(`${folder}/`)) records.set(path, record);
  }
}
