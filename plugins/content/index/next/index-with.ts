import { runInSlices } from "#kernel/internal";
import type { SourceRecord } from "../../read/source-record.js";
import { buildIndex } from "../build-index.js";
import type { ContentIndex } from "../content-index.js";
import { nextQuickly } from "./next-quickly.js";
import type { ContentRules } from "../store-options.js";

/** The index as it would be with other records of some files. */
export async function indexWith(
  previous: ContentIndex,
  changed: readonly SourceRecord[],
  rules: ContentRules,
): Promise<ContentIndex> {
  const next = await runInSlices(nextQuickly(previous, { changed, removed: [] }, rules));
  if (next !== null) return next;
  const records = new Map(previous.records);
  for (const record of changed) records.set(record.sourcePath, record);
  return runInSlices(buildIndex({ records, treeProblems: [], rules, previous }));
}
