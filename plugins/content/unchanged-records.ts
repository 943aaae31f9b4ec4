import type { SourceRecord } from "./source-record.js";

/** True when both hold the same records: not equal ones, the same. */
export function isSame(
  kept: ReadonlyMap<string, SourceRecord> | undefined,
  now: ReadonlyMap<string, SourceRecord>,
): boolean {
  if (kept === undefined || kept.size !== now.size) return false;
  for (const [path, record] of now) if (kept.get(path) !== record) return false;
  return true;
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
