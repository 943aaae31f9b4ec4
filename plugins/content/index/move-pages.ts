/** Builds the next generation when a page was added or removed without affecting others. */
import type { Sliced } from "#lib/concurrency";
import { folderOf } from "../read/source-name.js";
import type { SourceRecord } from "../read/source-record.js";
import type { ContentIndex } from "./content-index.js";
import { type IndexedPage, toPageEntry, type TreePosition } from "./page-entry.js";
import { ContentTree } from "./content-tree.js";
import { findSpan, isBelow, spanOf, resortFolder } from "./tree-order.js";
import type { Candidate, FolderNode, HomeFile, PositionRules } from "./tree-nodes.js";

/** One added page, one removed page, or both. */
export interface Moved {
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
export function* movePages(
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
  const pages = inOrder(previous, removed, added);
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
  const { start, end } = spanOf(previous.pages, folder, previous.pages.indexOf(page));
  return end - start === 1 && !hasProblem(previous, folder, page.entry.sourcePath);
}

/** True when a file below a folder, except `own`, has a problem: it may not be a page. */
function hasProblem({ fileProblems }: ContentIndex, folder: string, own: string): boolean {
  return fileProblems.some(
    ({ sourcePath }) => sourcePath !== own && sourcePath.startsWith(`${folder}/`),
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
  for (const known of recordsOnTheWay(previous, folder)) tree.add(known);
  tree.add(record);
  tree.settle(() => homeIn(tree, previous));
  const found = findIn(tree, previous, record);
  if (found === null || found.candidate.issue !== null) return null;
  if (found.candidate.isFolderPage && hasPages(previous, record.sourcePath)) return null;
  if (folderOf(folder) === "" && mayBeHome(previous, found)) return null;
  const place = tree.place(found.node, found.candidate);
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
  const own = entries.flatMap(({ sourcePath }) => previous.placed.get(sourcePath)?.record ?? []);
  return folder === "" ? own : [...recordsOnTheWay(previous, folderOf(folder)), ...own];
}

/** The current home page; null when it is not one of these folders. */
function homeIn(tree: ContentTree, previous: ContentIndex): HomeFile | null {
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
  let found: Found | null = null;
  for (const node of tree.nodes()) {
    for (const candidate of node.candidates) {
      if (candidate.record === record) found = { node, candidate };
      else if (hasOtherRole(previous, candidate)) return null;
    }
  }
  return found;
}

/** Tree order without the removed and with the added page; null when that may affect other pages. */
function inOrder(
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
