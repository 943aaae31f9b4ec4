import type { PageRow } from "../../api/content/pages.js";
import { moveTo } from "./tree-moves.js";
import { canMove } from "./tree-paths.js";
import { findPage } from "./tree-places.js";
import type { Tree } from "./use-tree.js";

/** Moves a page to the level above (-1), or to the end of the pages below the one before it (1). */
export async function shifted(tree: Tree, path: string, step: 1 | -1): Promise<void> {
  const found = findPage(tree, path);
  if (found === null || found.page.broken !== undefined || !canMove(found.page)) return;
  const { page, siblings, route } = found;
  if (step === 1) await intoPrevious(tree, page, siblings);
  else await outOf(tree, page, route);
}

async function intoPrevious(
  tree: Tree,
  page: PageRow,
  siblings: readonly PageRow[],
): Promise<void> {
  const parent = siblings[siblings.indexOf(page) - 1];
  if (parent === undefined || parent.route === "/") return;
  await moveTo(page, { parent, before: null }, () => tree.show(parent.route));
}

/** Puts the page behind the one above it. */
async function outOf(tree: Tree, page: PageRow, route: string): Promise<void> {
  const all = [...tree.levels.values()].flat();
  const above = all.find((one) => one.route === route);
  const outer = [...tree.levels].find(([, pages]) => above !== undefined && pages.includes(above));
  if (route === "/" || above === undefined || outer === undefined) return;
  const [outerRoute, others] = outer;
  const parent = all.find((one) => one.route === outerRoute && one.route !== "/") ?? null;
  const before = others[others.indexOf(above) + 1] ?? null;
  await moveTo(page, { parent, before }, tree.reload);
}
