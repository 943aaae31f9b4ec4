/** Keys of pages in relations: the source folder below `content/` without order numbers. */
import type { PageEntry } from "../contract.js";
import { pageStem, withoutOrders } from "#kernel/internal";

/** The key of a page; all its languages share it. */
export function pageKey(entry: PageEntry): string {
  return keyOfFile(entry, entry.sourcePath);
}

/** The key that a page would have at another path. */
export function keyOfFile(entry: PageEntry, sourcePath: string): string {
  const folder = sourcePath.slice(0, Math.max(sourcePath.lastIndexOf("/"), 0));
  if (isFolderPage(entry)) return withoutNumbers(folder);
  return withoutNumbers(pageStem(sourcePath, entry.lang));
}

/** A key as written by hand: with slashes around it, numbers or the content folder's name. */
export function normalKey(text: string): string {
  const key = text.normalize("NFC").replace(/^\/+|\/+$/g, "");
  return withoutNumbers(key);
}

/** True when the page is a whole folder. */
export function isFolderPage({ folder, depth, route }: PageEntry): boolean {
  if (folder === "") return false;
  return route === "/" || depth === folder.split("/").length - 1;
}

function withoutNumbers(path: string): string {
  return withoutOrders(path).normalize("NFC");
}
