import type { VNode } from "preact";
import { attempt, done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/forms.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { t } from "./pages-texts.js";
import {
  canMove,
  findCarrier,
  findPage,
  folderBelow,
  hasNumber,
  loadLevel,
  pathAfter,
  numberedPath,
  type Tree,
} from "./tree.js";
import { call } from "../../api/request.js";
import type { PageRow } from "../../api/answers.js";

/** A place in the tree. */
export interface Place {
  /** Null: the top level. */
  readonly parent: PageRow | null;
  /** The page that comes after it there; null: the last place. */
  readonly before: PageRow | null;
}

/** Moves a page to another parent, reports the updated links, and offers to move it back. */
export async function moveTo(page: PageRow, place: Place, onChange: () => void): Promise<void> {
  const folder = folderBelow(place.parent);
  if (folder === null) throw new Error(t("move.file", { title: place.parent?.title ?? "" }));
  const from = findCarrier(page.sourcePath);
  const to = numberedPath(folder, page, await loadLevel(place.parent?.route ?? "/"));
  const { rewritten } = await call("POST /pages/move", { body: { path: from, to } });
  let path = to + page.sourcePath.slice(from.length);
  const { before } = place;
  if (before !== null && hasNumber(path) && hasNumber(before.sourcePath)) {
    const { sourcePath } = await call("POST /pages/reorder", {
      body: { path, target: before.sourcePath, position: "before" },
    });
    path = sourcePath;
  }
  onChange();
  done(t("move.done", { title: page.title, n: rewritten.length }), () => {
    void attempt(async () => {
      await call("POST /pages/move", { body: { path: findCarrier(path), to: from } });
      onChange();
      done(t("move.undone", { title: page.title }));
    });
  });
}

/** A move of a page among its siblings. */
export interface Reordering {
  readonly page: PageRow;
  /** The sibling that it is put next to. */
  readonly target: PageRow;
  readonly position: "before" | "after";
  /** All pages of the level, in their order until now. */
  readonly siblings: readonly PageRow[];
}

/** Puts a page before or after a sibling, and offers to put it back. */
export async function reorder(
  { page, target, position, siblings }: Reordering,
  onChange: () => void,
): Promise<void> {
  const at = siblings.indexOf(page);
  const [next, previous] = [siblings[at + 1], siblings[at - 1]];
  const { sourcePath, moves } = await call("POST /pages/reorder", {
    body: { path: page.sourcePath, target: target.sourcePath, position },
  });
  onChange();
  const neighbour = next ?? previous;
  if (neighbour === undefined || moves.length === 0) return;
  const back = next === undefined ? "after" : "before";
  done(t("order.done", { title: page.title }), () => {
    void attempt(async () => {
      await call("POST /pages/reorder", {
        body: { path: sourcePath, target: pathAfter(neighbour.sourcePath, moves), position: back },
      });
      onChange();
    });
  });
}

/** Moves a page to the level above (-1), or to the end of the pages below the one before it (1). */
export async function shifted(tree: Tree, path: string, step: 1 | -1): Promise<void> {
  const row = findPage(tree, path);
  if (row === null || row.page.broken !== undefined || !canMove(row.page)) return;
  const { page, siblings, route } = row;
  if (step === 1) await intoPrevious(tree, page, siblings);
  else await moveOut(tree, page, route);
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
async function moveOut(tree: Tree, page: PageRow, route: string): Promise<void> {
  const all = [...tree.levels.values()].flat();
  const above = all.find((one) => one.route === route);
  const outer = [...tree.levels].find(([, pages]) => above !== undefined && pages.includes(above));
  if (route === "/" || above === undefined || outer === undefined) return;
  const [outerRoute, others] = outer;
  const parent = all.find((one) => one.route === outerRoute && one.route !== "/") ?? null;
  const before = others[others.indexOf(above) + 1] ?? null;
  await moveTo(page, { parent, before }, tree.reload);
}

const MAX_PAGES = 500;

interface MoveDialogProps {
  page: PageRow;
  onClose(): void;
  onMoved(): void;
}

/** Asks for the new parent of a page: for keyboards, touch screens and long ways. */
export function MoveDialog(props: MoveDialogProps): VNode {
  const { page } = props;
  const pages = useLoaded("parents", async () => {
    const { items } = await call("GET /pages", {
      query: { limit: MAX_PAGES, languages: "together" },
    });
    return items.filter((one) => isPossible(one, page));
  });
  return (
    <FormDialog
      title={t("move.title", { title: page.title })}
      action={t("move.action")}
      onClose={props.onClose}
      onSubmit={async (form) => {
        const route = String(form.get("parent"));
        const parent = pages.data?.find((one) => one.route === route) ?? null;
        await moveTo(page, { parent, before: null }, props.onMoved);
      }}
    >
      <p>{t("move.why")}</p>
      <Loading of={pages}>
        {(items) => (
          <label>
            {t("move.below")}
            <select name="parent" defaultValue={page.parent ?? "/"} autoFocus>
              <option value="/">{t("move.top")}</option>
              {items.map((one) => (
                <option key={one.sourcePath} value={one.route}>
                  {`${"\u2003".repeat(Math.max(0, one.depth - 1))}${one.title}`}
                </option>
              ))}
            </select>
          </label>
        )}
      </Loading>
    </FormDialog>
  );
}

/** A new parent has a folder, and is neither the page nor below it. */
function isPossible(parent: PageRow, page: PageRow): boolean {
  if (parent.isModule || parent.route === "/" || folderBelow(parent) === null) return false;
  return !parent.sourcePath.startsWith(`${findCarrier(page.sourcePath)}/`);
}
