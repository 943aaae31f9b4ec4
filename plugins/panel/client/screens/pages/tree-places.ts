import type { PageRow } from "../../api/content/pages.js";
import { carrierOf, folderBelow } from "./tree-paths.js";
import type { Tree } from "./use-tree.js";

/** Where a page comes at the row of another one. */
export type Side = "before" | "after" | "inside";
/** A place among the loaded pages. */
export interface TreePlace {
  /** The page above; null: the top level. */
  readonly parent: PageRow | null;
  /** Route of the level. */
  readonly route: string;
  readonly siblings: readonly PageRow[];
  /** The page that follows; null: none. */
  readonly before: PageRow | null;
}
type Shown = Pick<Tree, "levels" | "open">;

/** The sides of a row at which a page may be put. */
export function sidesOf(shown: Shown, path: string, target: string): readonly Side[] {
  const at = findPage(shown, target);
  if (at === null || at.page.route === "" || path === target || isInside(target, path)) return [];
  const inside: readonly Side[] =
    at.page.route === "/" || folderBelow(at.page) === null ? [] : ["inside"];
  // The home page stays first.
  if (at.page.route === "/") return ["after"];
  return ["before", "after", ...inside];
}

/** The place at a side of a row; below an open row: before the first page of its level. */
export function placeAt(shown: Shown, target: string, side: Side): TreePlace | null {
  const at = findPage(shown, target);
  if (at === null) return null;
  const { page, siblings, route } = at;
  const [first] = shown.open.has(page.route) ? levelOf(shown, page.route) : [];
  if (side === "inside") return placeIn(shown, page, null);
  if (side === "after" && first !== undefined) return placeIn(shown, page, first);
  const next = siblings[siblings.indexOf(page) + 1] ?? null;
  const before = side === "before" ? page : next;
  return { parent: pageAt(shown, route), route, siblings, before };
}

function placeIn(shown: Shown, parent: PageRow, before: PageRow | null): TreePlace {
  const { route } = parent;
  return { parent, route, siblings: levelOf(shown, route), before };
}

/** The pages that have a place among their siblings: one that was never read has no address and no order. */
export function orderable(pages: readonly PageRow[]): readonly PageRow[] {
  return pages.filter(({ route }) => route !== "");
}

function levelOf({ levels }: Shown, route: string): readonly PageRow[] {
  return orderable(levels.get(route) ?? []);
}

/** A page of the tree with the pages of its level that have a place; null when it is not loaded. */
export function findPage(
  { levels }: Pick<Tree, "levels">,
  path: string,
): { page: PageRow; siblings: readonly PageRow[]; route: string } | null {
  for (const [route, pages] of levels) {
    const page = pages.find(({ sourcePath }) => sourcePath === path);
    if (page !== undefined) return { page, siblings: orderable(pages), route };
  }
  return null;
}

/** The page of a level; null for the top one. */
function pageAt({ levels }: Shown, route: string): PageRow | null {
  if (route === "/") return null;
  return [...levels.values()].flat().find((page) => page.route === route) ?? null;
}

function isInside(path: string, above: string): boolean {
  return path.startsWith(`${carrierOf(above)}/`);
}
