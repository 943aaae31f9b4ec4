/** Sorts one folder; everything else retains its place in the tree. */
import type { IndexedPage } from "../indexed-page.js";
import { compareSiblings, toSibling, type Sibling } from "../tree/siblings.js";
import { spanOf } from "../tree/spans.js";
import { joinPath, nameOf, parseFolderName } from "../../read/source-name.js";

/** The pages of the tree, in tree order, after the page at index `at`, in `folder`, got another order or title. */
export function resortFolder(
  placed: readonly IndexedPage[],
  folder: string,
  at: number,
): readonly IndexedPage[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const { start, end } = spanOf(placed, folder, at);
  const own: IndexedPage[] = [];
  const blocks = new Map<string, IndexedPage[]>();
  for (const item of placed.slice(start, end)) {
    if (item.place.isFolderPage && item.place.folder === folder) own.push(item);
    else appendTo(blocks, childOf(item.entry.sourcePath, folder, prefix), item);
  }
  const siblings = [...blocks].map(([path, items]) => siblingOf(path, items)).sort(compareSiblings);
  const sorted = siblings.flatMap(({ item }) => item);
  return placed.slice(0, start).concat(own, sorted, placed.slice(end));
}

/** The child of `folder` that contains a path. */
function childOf(path: string, folder: string, prefix: string): string {
  const slash = path.indexOf("/", prefix.length);
  return slash === -1 ? path : joinPath(folder, path.slice(prefix.length, slash));
}

function siblingOf(path: string, items: IndexedPage[]): Sibling<IndexedPage[]> {
  const flat = items.find(({ entry }) => entry.sourcePath === path);
  const own = flat ?? items.find(({ place }) => place.isFolderPage && place.folder === path);
  if (own !== undefined) return toSibling(items, own.entry, path);
  const { order, slug } = parseFolderName(nameOf(path));
  return toSibling(items, { order: order ?? 0, isOrdered: order !== null, title: slug }, path);
}

function appendTo(blocks: Map<string, IndexedPage[]>, key: string, item: IndexedPage): void {
  const block = blocks.get(key);
  if (block === undefined) blocks.set(key, [item]);
  else block.push(item);
}
