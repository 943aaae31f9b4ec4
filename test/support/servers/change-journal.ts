// A journal of changes in a folder.
import type { Clock } from "#kernel";
import { RecordFiles, silentLog } from "#kernel/internal";
import { StoredChanges } from "../../../kernel/changes/change-journal.js";

/** A journal whose kinds a test keeps; without any it writes nothing. */
export function changeJournal(
  clock: Clock,
  { folder = "/nowhere", maxEntries = 100 }: { folder?: string; maxEntries?: number } = {},
): StoredChanges {
  const records = new RecordFiles(folder);
  return new StoredChanges({
    clock,
    log: silentLog,
    records: () => records,
    maxEntries,
    maxDays: 30,
    isForeign: () => true,
    announces: () => Promise.resolve(true),
  });
}
