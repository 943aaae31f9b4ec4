/** Finds parts of lists in tree order. Items are compared by identity: reading a field of 100,000 pages takes milliseconds. */
import { folderOf } from "../../read/source-name.js";
import type { IndexedPage } from "../indexed-page.js";

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
export function spanOf(pages: readonly IndexedPage[], folder: string, at: number): Span {
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
    const end = child === null ? at + 1 : endOf(pages, child, at);
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
function endOf(pages: readonly IndexedPage[], folder: string, at: number): number {
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

/** Where two lists differ: one new page shifts all pages after it. */
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
