/** Derives the next generation without a full build, where a change allows that. */
import type { Sliced } from "#lib/concurrency";
import type { SourceRecord } from "../read/source-record.js";
import type { PageEntry } from "../contract.js";
import { folderOf } from "../read/source-name.js";
import type { ContentIndex } from "./content-index.js";
import type { PositionRules, Candidate, FolderNode, HomeFile } from "./tree-nodes.js";
import { type IndexedPage, toPageEntry, type EntryRules, type TreePosition } from "./page-entry.js";
import { resortFolder, MAX_SEARCHES, findSpan, isBelow, widenSpan } from "./tree-order.js";
import { ContentTree } from "./content-tree.js";

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
  for (const path of removed.toSorted((a, b) => countLevels(b) - countLevels(a))) {
    const next = yield* movePages(index, { added: null, removed: path }, rules);
    if (next === null) return null;
    index = next;
  }
  const byDepth = changed.toSorted((a, b) => countLevels(a.sourcePath) - countLevels(b.sourcePath));
  for (const record of byDepth) {
    const next = index.records.has(record.sourcePath)
      ? yield* replaceRecords(index, [record], rules)
      : yield* movePages(index, { added: record, removed: null }, rules);
    if (next === null) return null;
    index = next;
  }
  return index;
}

function countLevels(path: string): number {
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
  const pages = withReplaced(previous, replaced);
  yield;
  return yield* previous.next({
    pages,
    removed: [...replaced.keys()].flatMap((path) => previous.placed.get(path) ?? []),
    added: [...replaced.values()],
  });
}

/** Tree order with the new entries; sorts only folders where an order or title changed. */
function withReplaced(
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

/** One added page, one removed page, or both. */
interface Moved {
  added: SourceRecord | null;
  removed: string | null;
}

// Files that are not pages because of another file, or that are not listed, require a full build.
const entangled: ReadonlySet<string> = new Set([
  "ERR_CONTENT_DUPLICATE_ROUTE",
  "ERR_CONTENT_LANGUAGE",
  "ERR_CONTENT_ROLES",
]);

/** The next generation; null when other pages may be affected, so that the index must be built. */
function* movePages(
  previous: ContentIndex,
  moved: Moved,
  rules: PositionRules,
): Sliced<ContentIndex | null> {
  if (rules.home !== null || previous.fileProblems.some(({ code }) => entangled.has(code)))
    return null;
  const removed = lonely(previous, moved.removed, rules);
  yield;
  const added = placeLonely(previous, moved.added, rules);
  if (removed === null || added === null) return null;
  yield;
  const pages = withMoved(previous, removed, added);
  yield;
  return pages && (yield* previous.next({ pages, removed, added }));
}

/** The page at a path, if removing it affects no other page. */
function lonely(
  previous: ContentIndex,
  path: string | null,
  rules: PositionRules,
): IndexedPage[] | null {
  if (path === null) return [];
  const placed = previous.placed.get(path);
  if (placed === undefined || !placed.place.routable || placed.place.route === "/") return null;
  if (placed.place.isFolderPage && !isOnlyPage(previous, placed)) return null;
  return keepsRoles(previous, placed, rules) ? [placed] : null;
}

/** True when the other files of the folder stay what they are without this page. */
function keepsRoles(previous: ContentIndex, page: IndexedPage, rules: PositionRules): boolean {
  const tree = new ContentTree(rules);
  for (const record of recordsOnTheWay(previous, page.place.folder)) {
    if (record !== page.record) tree.add(record);
  }
  tree.settle(() => null);
  for (const node of tree.nodes()) {
    if (node.candidates.some((candidate) => hasOtherRole(previous, candidate))) return false;
  }
  return true;
}

function hasOtherRole(previous: ContentIndex, { record, isFolderPage }: Candidate): boolean {
  return previous.placed.get(record.sourcePath)?.place.isFolderPage !== isFolderPage;
}

/** True when the folder of a page contains no other content file. */
function isOnlyPage(previous: ContentIndex, page: IndexedPage): boolean {
  const { folder } = page.place;
  const { start, end } = widenSpan(previous.pages, folder, previous.pages.indexOf(page));
  return end - start === 1 && !hasProblem(previous, folder, page.entry.sourcePath);
}

/** True when a file below a folder, except `own`, has a problem: it may not be a page. */
function hasProblem({ fileProblems }: ContentIndex, folder: string, exceptPath: string): boolean {
  return fileProblems.some(
    ({ sourcePath }) => sourcePath !== exceptPath && sourcePath.startsWith(`${folder}/`),
  );
}

/** The new page, if adding it affects no other page: below the top level, in a free place. */
function placeLonely(
  previous: ContentIndex,
  record: SourceRecord | null,
  rules: PositionRules,
): IndexedPage[] | null {
  if (record === null) return [];
  const place = record.error === null ? freePlace(previous, record, rules) : null;
  if (place === null || previous.at(place.route, place.lang) !== undefined) return null;
  const result = toPageEntry(record, place, rules);
  return "issue" in result ? null : [{ record, place, ...result }];
}

function freePlace(
  previous: ContentIndex,
  record: SourceRecord,
  rules: PositionRules,
): TreePosition | null {
  const folder = folderOf(record.sourcePath);
  if (folder === "" || previous.records.has(record.sourcePath)) return null;
  const tree = new ContentTree(rules);
  for (const other of recordsOnTheWay(previous, folder)) tree.add(other);
  tree.add(record);
  tree.settle(() => findHome(tree, previous));
  const added = findIn(tree, previous, record);
  if (added === null || added.candidate.issue !== null) return null;
  if (added.candidate.isFolderPage && hasPages(previous, record.sourcePath)) return null;
  if (folderOf(folder) === "" && mayBeHome(previous, added)) return null;
  const place = tree.place(added.node, added.candidate);
  return place.routable ? place : null;
}

/** True when the folder of a new file, without those inside it, contains another content file. */
function hasPages(previous: ContentIndex, path: string): boolean {
  const folder = folderOf(path);
  return previous.folder(folder) !== undefined || hasProblem(previous, folder, path);
}

/** True when a page of a top-level folder may replace the current home page. */
function mayBeHome(previous: ContentIndex, { node, candidate }: Found): boolean {
  if (!candidate.isFolderPage) return false;
  if (node.name.order !== null || node.name.slug === "home") return true;
  return !previous.pages.some(({ place }) => place.route === "/");
}

/** The pages of a folder and its parents, which decide the routes below. */
function recordsOnTheWay(previous: ContentIndex, folder: string): SourceRecord[] {
  const pages = previous.folder(folder);
  const entries = pages === undefined ? [] : [...pages.own, ...pages.flat];
  const listed = entries.flatMap(({ sourcePath }) => previous.placed.get(sourcePath)?.record ?? []);
  return folder === "" ? listed : [...recordsOnTheWay(previous, folderOf(folder)), ...listed];
}

/** The current home page; null when it is not one of these folders. */
function findHome(tree: ContentTree, previous: ContentIndex): HomeFile | null {
  const home = previous.pages.find(({ place }) => place.route === "/" && place.isFolderPage);
  if (home === undefined) return null;
  for (const node of tree.nodes()) if (node.path === home.place.folder) return { node, flat: null };
  return null;
}

interface Found {
  readonly node: FolderNode;
  readonly candidate: Candidate;
}

/** The new file among these; null when it changes the role of another one. */
function findIn(tree: ContentTree, previous: ContentIndex, record: SourceRecord): Found | null {
  let match: Found | null = null;
  for (const node of tree.nodes()) {
    for (const candidate of node.candidates) {
      if (candidate.record === record) match = { node, candidate };
      else if (hasOtherRole(previous, candidate)) return null;
    }
  }
  return match;
}

/** Tree order without the removed and with the added page; null when that may affect other pages. */
function withMoved(
  previous: ContentIndex,
  [gone]: readonly IndexedPage[],
  [come]: readonly IndexedPage[],
): readonly IndexedPage[] | null {
  const pages = [...previous.pages];
  if (gone !== undefined) pages.splice(pages.indexOf(gone), 1);
  if (come === undefined) return pages;
  const { place } = come;
  const folder = place.isFolderPage ? folderOf(place.folder) : place.folder;
  const span = findSpan(pages, folder);
  // The first page of its folder.
  if (span === null) return null;
  const { start, end } = span;
  const siblings = pages.slice(start, end);
  // A folder's page is the parent of those below it.
  if (place.isFolderPage && siblings.some((page) => isBelow(page, place.folder))) return null;
  pages.splice(end, 0, come);
  return resortFolder(pages, folder, end);
}
