/** Derives the next generation without a full build, where a change allows that. */
import type { Sliced } from "#lib/concurrency";
import type { SourceRecord } from "../read/source-record.js";
import type { PageEntry } from "../contract.js";
import { folderOf } from "../read/source-name.js";
import type { ContentIndex } from "./content-index.js";
import { movePages } from "./move-pages.js";
import type { PositionRules } from "./tree-nodes.js";
import { type IndexedPage, toPageEntry, type EntryRules } from "./page-entry.js";
import { resortFolder, MAX_SEARCHES } from "./tree-order.js";

/** The files that have changed since the last generation. */
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
export function* updateIndex(
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

/** The next generation when only texts have changed; null when that may move pages, so that the index must be built. */
export function* replaceRecords(
  previous: ContentIndex,
  changed: readonly SourceRecord[],
  rules: EntryRules,
): Sliced<ContentIndex | null> {
  const replaced = new Map<string, IndexedPage>();
  // Only a full build finds the warnings about names again.
  const warnedNames = new Set(
    previous.fileProblems.flatMap(({ code, sourcePath }) =>
      code === "ERR_CONTENT_LANGUAGE" ? [sourcePath] : [],
    ),
  );
  for (const record of changed) {
    if (warnedNames.has(record.sourcePath)) return null;
    const before = previous.placed.get(record.sourcePath);
    const next = before === undefined ? null : inPlace(before, record, rules);
    if (next === null) return null;
    replaced.set(record.sourcePath, next);
  }
  const pages = inOrder(previous, replaced);
  yield;
  return yield* previous.next({
    pages,
    removed: [...replaced.keys()].flatMap((path) => previous.placed.get(path) ?? []),
    added: [...replaced.values()],
  });
}

/** Tree order with the new entries; sorts only folders where an order or title changed. */
function inOrder(
  previous: ContentIndex,
  replaced: ReadonlyMap<string, IndexedPage>,
): readonly IndexedPage[] {
  let placed = withPages(previous, replaced);
  // A checkout changes many pages of one folder, which is sorted once.
  const folders = new Map<string, IndexedPage>();
  for (const [path, next] of replaced) {
    const { entry, place } = next;
    const before = previous.bySource.get(path);
    if (before !== undefined && isSameSibling(before, entry)) continue;
    folders.set(place.isFolderPage ? folderOf(place.folder) : place.folder, next);
  }
  for (const [folder, page] of folders) {
    placed = resortFolder(placed, folder, placed.indexOf(page));
  }
  return placed;
}

/** The pages with their new entries at their old indexes. */
function withPages(
  previous: ContentIndex,
  replaced: ReadonlyMap<string, IndexedPage>,
): readonly IndexedPage[] {
  const successors = new Map<IndexedPage | undefined, IndexedPage>();
  for (const [path, next] of replaced) successors.set(previous.placed.get(path), next);
  if (successors.size > MAX_SEARCHES) {
    return previous.pages.map((page) => successors.get(page) ?? page);
  }
  const pages = [...previous.pages];
  for (const [page, next] of successors) if (page) pages[pages.indexOf(page)] = next;
  return pages;
}

function isSameSibling(a: PageEntry, b: PageEntry): boolean {
  return a.order === b.order && a.isOrdered === b.isOrdered && a.title === b.title;
}

/** The page with its new text in its old place; null when its place may have changed. */
function inPlace(before: IndexedPage, record: SourceRecord, rules: EntryRules): IndexedPage | null {
  if (record.error !== null || !before.place.routable) return null;
  const [old, now] = [before.record.frontmatter, record.frontmatter];
  if (old.slug !== now.slug || old.routable !== now.routable) return null;
  const result = toPageEntry(record, before.place, rules);
  if ("issue" in result) return null;
  return { record, place: before.place, entry: result.entry, warnings: result.warnings };
}
