import { listPages, movePage, reorderPage, type PageRow } from "../../api/content/pages.js";
import { attempt, done } from "../../app/toasts.js";
import { t } from "./pages-texts.js";
import { carrierOf, folderBelow, hasNumber, pathAfter, pathIn } from "./tree-paths.js";

const MAX_LEVEL = 500;

/** A place in the tree. */
export interface Place {
  /** Null: the top level. */
  readonly parent: PageRow | null;
  /** The page that comes after it there; null: the last place. */
  readonly before: PageRow | null;
}

/** The pages directly below a route; one of each page's languages. */
export async function loadLevel(route: string): Promise<readonly PageRow[]> {
  const { items } = await listPages({ parent: route, limit: MAX_LEVEL, broken: "true" });
  const seen = new Set<string>();
  return items.filter(({ isModule, sourcePath }) => {
    const carrier = sourcePath.includes("/") ? carrierOf(sourcePath) : sourcePath;
    if (isModule || seen.has(carrier)) return false;
    seen.add(carrier);
    return true;
  });
}

/** Moves a page to another parent, reports the updated links, and offers to move it back. */
export async function moveTo(page: PageRow, place: Place, onChange: () => void): Promise<void> {
  const folder = folderBelow(place.parent);
  if (folder === null) throw new Error(t("move.file", { title: place.parent?.title ?? "" }));
  const from = carrierOf(page.sourcePath);
  const to = pathIn(folder, page, await loadLevel(place.parent?.route ?? "/"));
  const { rewritten } = await movePage(from, to);
  let path = to + page.sourcePath.slice(from.length);
  const { before } = place;
  if (before !== null && hasNumber(path) && hasNumber(before.sourcePath)) {
    const { sourcePath } = await reorderPage(path, before.sourcePath, "before");
    path = sourcePath;
  }
  onChange();
  done(t("move.done", { title: page.title, n: rewritten.length }), () => {
    void attempt(async () => {
      await movePage(carrierOf(path), from);
      onChange();
      done(t("move.undone", { title: page.title }));
    });
  });
}

/** Puts a page before or after a sibling, and offers to put it back. */
export async function reorder(
  [page, target, position]: readonly [PageRow, PageRow, "before" | "after"],
  siblings: readonly PageRow[],
  onChange: () => void,
): Promise<void> {
  const at = siblings.indexOf(page);
  const [next, previous] = [siblings[at + 1], siblings[at - 1]];
  const { sourcePath, moves } = await reorderPage(page.sourcePath, target.sourcePath, position);
  onChange();
  const neighbour = next ?? previous;
  if (neighbour === undefined || moves.length === 0) return;
  const back = next === undefined ? "after" : "before";
  done(t("order.done", { title: page.title }), () => {
    void attempt(async () => {
      await reorderPage(sourcePath, pathAfter(neighbour.sourcePath, moves), back);
      onChange();
    });
  });
}
