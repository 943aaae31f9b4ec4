/** The next generation without building it, where a change allows that. */
import type { ContentIndex } from "./content-index.js";
import { movePages } from "./move-pages.js";
import { replaceRecords } from "./replace-records.js";
import type { SourceRecord } from "./source-record.js";
import type { Sliced } from "./slices.js";
import type { PlaceRules } from "./tree-nodes.js";

/** What has changed since the last generation. */
export interface ChangedRecords {
  changed: readonly SourceRecord[];
  removed: readonly string[];
}

/** True when no file has changed. */
export function isEmpty({ changed, removed }: ChangedRecords): boolean {
  return changed.length === 0 && removed.length === 0;
}

/** The next generation when only texts changed, or one page came or went; null when it must be built. */
export function* nextQuickly(
  previous: ContentIndex,
  { changed, removed }: ChangedRecords,
  rules: PlaceRules,
): Sliced<ContentIndex | null> {
  const replaced =
    removed.length === 0 ? yield* replaceRecords(previous, changed, rules.timezone) : null;
  if (replaced !== null || changed.length > 1 || removed.length > 1) return replaced;
  return yield* movePages(
    previous,
    { added: changed[0] ?? null, removed: removed[0] ?? null },
    rules,
  );
}
