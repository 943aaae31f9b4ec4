/** Finds and sorts parts of lists in tree order. Items are compared by identity: reading a field of 100,000 pages takes milliseconds. */
import { compareTextKeys, toTextKey, type TextKey } from "#lib/text";
import { folderOf, joinPath, nameOf, parseFolderName } from "../read/source-name.js";
import type { PageEntry } from "../contract.js";
import type { IndexedPage } from "./page-entry.js";
import { effectiveOrder } from "./orders.js";

/** Maximum number of items to look up one by one; for more, one pass over the list is cheaper. */
export const MAX_SEARCHES = 32;

/** A part of a list: from `start` up to, without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** True for a page of the folder or of one inside it. */
export function isBelow({ entry }: IndexedPage, folder: string): boolean {
  return folder === "" || entry.sourcePath.startsWith(`${folder}/`);
}

/** The pages of a folder and of the folders inside it, which follow each other; `at` is one of them. */
export function widenSpan(pages: readonly IndexedPage[], folder: string, at: number): Span {
  if (folder === "") return { start: 0, end: pages.length };
  const isInside = (index: number): boolean => {
    const page = pages[index];
    return page !== undefined && isBelow(page, folder);
  };
  let [start, end] = [at, at + 1];
  while (isInside(start - 1)) start -= 1;
  while (isInside(end)) end += 1;
  return { start, end };
}

/** The pages of a folder and of the folders inside it; null without any. Skips other folders as a whole. */
export function findSpan(pages: readonly IndexedPage[], folder: string): Span | null {
  if (folder === "") return { start: 0, end: pages.length };
  const parent = folderOf(folder);
  const around = findSpan(pages, parent);
  if (around === null) return null;
  for (let at = around.start; at < around.end;) {
    const path = pages[at]?.entry.sourcePath ?? "";
    const child = childFolder(path, parent);
    const end = child === null ? at + 1 : findEnd(pages, child, at);
    if (child === folder) return { start: at, end };
    at = end;
  }
  return null;
}

/** The folder directly in `parent` that contains a path; null for a file of `parent` itself. */
function childFolder(path: string, parent: string): string | null {
  const slash = path.indexOf("/", parent === "" ? 0 : parent.length + 1);
  return slash === -1 ? null : path.slice(0, slash);
}

/** The index after the last page of a folder; `at` is one of them. In doubling steps, then by halves. */
function findEnd(pages: readonly IndexedPage[], folder: string, at: number): number {
  const isInside = (index: number): boolean => {
    const page = pages[index];
    return page !== undefined && isBelow(page, folder);
  };
  let [inside, step] = [at, 1];
  for (; isInside(inside + step); step *= 2) inside += step;
  for (let outside = inside + step; outside - inside > 1;) {
    const middle = (inside + outside) >>> 1;
    if (isInside(middle)) inside = middle;
    else outside = middle;
  }
  return inside + 1;
}

/** Finds where two lists differ: one new page shifts all pages after it. */
export function differingSpans<T>(
  before: readonly T[],
  after: readonly T[],
): readonly [before: Span, after: Span] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  const [last, lastAfter] = [before.length - 1, after.length - 1];
  while (end < shorter - start && before[last - end] === after[lastAfter - end]) end += 1;
  return [
    { start, end: before.length - end },
    { start, end: after.length - end },
  ];
}

/** An item to sort among siblings. */
export interface Sibling<T> {
  readonly item: T;
  readonly order: number;
  readonly key: TextKey;
  readonly path: string;
}

/** Prepares an item for sorting. */
export function toSibling<T>(
  item: T,
  { order, isOrdered, title }: Pick<PageEntry, "order" | "isOrdered" | "title">,
  path: string,
): Sibling<T> {
  return { item, order: effectiveOrder({ order, isOrdered }), key: toTextKey(title), path };
}

/** Compares two siblings. */
export function compareSiblings(a: Sibling<unknown>, b: Sibling<unknown>): number {
  return a.order - b.order || compareTextKeys(a.key, b.key) || (a.path < b.path ? -1 : 1);
}

/** The pages of the tree, in tree order, after the page at index `at`, in `folder`, got another order or title. */
export function resortFolder(
  placed: readonly IndexedPage[],
  folder: string,
  at: number,
): readonly IndexedPage[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const { start, end } = widenSpan(placed, folder, at);
  const folderPages: IndexedPage[] = [];
  const blocks = new Map<string, IndexedPage[]>();
  for (const item of placed.slice(start, end)) {
    if (item.place.isFolderPage && item.place.folder === folder) folderPages.push(item);
    else addToBlock(blocks, childPath(item.entry.sourcePath, folder, prefix), item);
  }
  const siblings = [...blocks]
    .map(([path, items]) => groupSibling(path, items))
    .sort(compareSiblings);
  const sorted = siblings.flatMap(({ item }) => item);
  return placed.slice(0, start).concat(folderPages, sorted, placed.slice(end));
}

/** The child of `folder` that contains a path. */
function childPath(path: string, folder: string, prefix: string): string {
  const slash = path.indexOf("/", prefix.length);
  return slash === -1 ? path : joinPath(folder, path.slice(prefix.length, slash));
}

function groupSibling(path: string, items: IndexedPage[]): Sibling<IndexedPage[]> {
  const flat = items.find(({ entry }) => entry.sourcePath === path);
  const page = flat ?? items.find(({ place }) => place.isFolderPage && place.folder === path);
  if (page !== undefined) return toSibling(items, page.entry, path);
  const { order, slug } = parseFolderName(nameOf(path));
  return toSibling(items, { order: order ?? 0, isOrdered: order !== null, title: slug }, path);
}

function addToBlock(blocks: Map<string, IndexedPage[]>, key: string, item: IndexedPage): void {
  const block = blocks.get(key);
  if (block === undefined) blocks.set(key, [item]);
  else block.push(item);
}
