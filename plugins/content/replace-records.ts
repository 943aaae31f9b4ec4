/** The next generation when only the text of pages has changed: nothing is placed or sorted anew. */
import type { ContentProblem } from "./contract.js";
import { ContentIndex } from "./content-index.js";
import type { Placed } from "./placed.js";
import { lookupsOf } from "./lookups.js";
import { toPageEntry } from "./page-entry.js";
import { resortFolder } from "./resort-folder.js";
import { boundariesOf } from "./schedule.js";
import type { Sliced } from "./slices.js";
import { folderOf } from "./source-name.js";
import type { SourceRecord } from "./source-record.js";

/** The next generation; null when a change may move pages, and the index must be built. */
export function* replaceRecords(
  previous: ContentIndex,
  changed: readonly SourceRecord[],
  timezone: string,
): Sliced<ContentIndex | null> {
  const replaced = new Map<string, Placed>();
  for (const record of changed) {
    const before = previous.placed.get(record.sourcePath);
    const next = before === undefined ? null : inPlace(before, record, timezone);
    if (next === null) return null;
    replaced.set(record.sourcePath, next);
  }
  const records = new Map(previous.records);
  for (const record of changed) records.set(record.sourcePath, record);
  yield;
  const placed = inOrder(previous, replaced);
  yield;
  const lookups = yield* lookupsOf(placed);
  return new ContentIndex({
    id: previous.id + 1,
    placed,
    lookups,
    records,
    ...(keepsBoundaries(previous, replaced) && { boundaries: previous.boundaries }),
    problems: nextProblems(previous, replaced),
    orders: previous.orders.next(lookups.entries, {
      removed: new Set([...replaced.keys()].flatMap((path) => previous.bySource.get(path) ?? [])),
      added: [...replaced.values()].map(({ entry }) => entry),
    }),
  });
}

function keepsBoundaries(previous: ContentIndex, replaced: ReadonlyMap<string, Placed>): boolean {
  return [...replaced].every(([path, { entry }]) => {
    const before = previous.bySource.get(path);
    return before !== undefined && String(boundariesOf(before)) === String(boundariesOf(entry));
  });
}

/** Tree order with the new entries: only folders in which an order or title changed are sorted. */
function inOrder(previous: ContentIndex, replaced: ReadonlyMap<string, Placed>): readonly Placed[] {
  let placed: readonly Placed[] = [...previous.placed.values()].map(
    (item) => replaced.get(item.entry.sourcePath) ?? item,
  );
  for (const [path, { entry, place }] of replaced) {
    const before = previous.bySource.get(path);
    if (before?.order === entry.order && before.title === entry.title) continue;
    placed = resortFolder(placed, place.isFolderPage ? folderOf(place.folder) : place.folder);
  }
  return placed;
}

/** The page with its new text, in its old place; null when its place may be another. */
function inPlace(before: Placed, record: SourceRecord, timezone: string): Placed | null {
  if (record.error !== null || !before.place.routable) return null;
  const [old, now] = [before.record.frontmatter, record.frontmatter];
  if (old.slug !== now.slug || old.routable !== now.routable) return null;
  const result = toPageEntry(record, before.place, timezone);
  if ("issue" in result) return null;
  return { record, place: before.place, entry: result.entry, warnings: result.warnings };
}

function nextProblems(
  previous: ContentIndex,
  replaced: ReadonlyMap<string, Placed>,
): readonly ContentProblem[] {
  const kept = previous.problems.filter(({ sourcePath }) => !replaced.has(sourcePath));
  const fresh = [...replaced].flatMap(([sourcePath, { warnings }]) =>
    warnings.map((warning) => ({ sourcePath, severity: "warning" as const, ...warning })),
  );
  if (fresh.length === 0 && kept.length === previous.problems.length) return previous.problems;
  return [...kept, ...fresh].sort((a, b) => (a.sourcePath < b.sourcePath ? -1 : 1));
}
