/** The index as it would be after changes of some files. */
import type { Sliced } from "#lib/concurrency";
import { buildIndex } from "./build-index.js";
import type { ContentIndex } from "./content-index.js";
import type { ContentRules } from "./store-options.js";
import { updateIndex, type ChangedRecords } from "./update-index.js";

/** The next generation of an index, derived from it where the change allows that, else built. */
export function* indexWith(
  previous: ContentIndex,
  { changed, removed }: ChangedRecords,
  rules: ContentRules,
): Sliced<ContentIndex> {
  const next = yield* updateIndex(previous, { changed, removed }, rules);
  if (next !== null) return next;
  const records = new Map(previous.records);
  for (const path of removed) records.delete(path);
  for (const record of changed) records.set(record.sourcePath, record);
  return yield* buildIndex({ records, treeProblems: [], rules, previous });
}
