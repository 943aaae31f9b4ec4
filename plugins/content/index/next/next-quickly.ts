/** Derives the next generation without a full build, where a change allows that. */
import type { Sliced } from "#kernel/internal";
import type { ContentIndex } from "../content-index.js";
import { movePages } from "./move-pages.js";
import { replaceRecords } from "./replace-records.js";
import type { SourceRecord } from "../../read/source-record.js";
import type { PositionRules } from "../tree/tree-nodes.js";

/** What has changed since the last generation. */
export interface ChangedRecords {
  changed: readonly SourceRecord[];
  removed: readonly string[];
}

/** True when no file has changed. */
export function isEmpty({ changed, removed }: ChangedRecords): boolean {
  return changed.length === 0 && removed.length === 0;
}

/** Maximum of changes applied one at a time; above it, a full build costs less. */
const MAX_STEPS = 32;

/** The next generation after few changes; null when it must be built. */
export function* nextQuickly(
  previous: ContentIndex,
  { changed, removed }: ChangedRecords,
  rules: PositionRules,
): Sliced<ContentIndex | null> {
  const replaced = removed.length === 0 ? yield* replaceRecords(previous, changed, rules) : null;
  if (replaced !== null || changed.length + removed.length > MAX_STEPS) return replaced;
  if (changed.length === 1 && removed.length === 1) {
    return yield* movePages(
      previous,
      { added: changed[0] ?? null, removed: removed[0] ?? null },
      rules,
    );
  }
  return yield* stepByStep(previous, { changed, removed }, rules);
}

function* stepByStep(
  previous: ContentIndex,
  { changed, removed }: ChangedRecords,
  rules: PositionRules,
): Sliced<ContentIndex | null> {
  let index = previous;
  // Remove children before parents and add parents before children, so that no other page moves.
  for (const path of removed.toSorted((a, b) => depthOf(b) - depthOf(a))) {
    const next = yield* movePages(index, { added: null, removed: path }, rules);
    if (next === null) return null;
    index = next;
  }
  const byDepth = changed.toSorted((a, b) => depthOf(a.sourcePath) - depthOf(b.sourcePath));
  for (const record of byDepth) {
    const next = index.records.has(record.sourcePath)
      ? yield* replaceRecords(index, [record], rules)
      : yield* movePages(index, { added: record, removed: null }, rules);
    if (next === null) return null;
    index = next;
  }
  return index;
}

function depthOf(path: string): number {
  return path.split("/").length;
}
