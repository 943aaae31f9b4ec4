import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { attempt, done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/forms.js";
import { PagePicker } from "./page-picker.js";
import { t } from "./pages-texts.js";
import { findPage, hasNumber, isInside, isNumbered, pathAfter, type Tree } from "./tree.js";
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
  const { rewritten, moves } = await call("POST /pages/move", {
    body: { path: page.sourcePath, parent: place.parent?.route ?? "/" },
  });
  let path = pathAfter(page.sourcePath, moves);
  const { before } = place;
  const isOrdered = isNumbered(pathAfter(page.carrier, moves));
  if (before !== null && isOrdered && hasNumber(before)) {
    const { sourcePath } = await call("POST /pages/reorder", {
      body: { path, target: before.sourcePath, position: "before" },
    });
    path = sourcePath;
  }
  onChange();
  done(t("move.done", { title: page.title, n: rewritten.length }), () => {
    void attempt(async () => {
      const carrier = carrierAfter(page, path);
      const isAlone = moves.length === 1;
      const back = isAlone
        ? { path: carrier, to: page.carrier }
        : { path, parent: page.parent ?? "/" };
      await call("POST /pages/move", { body: back });
      onChange();
      done(t("move.undone", { title: page.title }));
    });
  });
}

/** The path that moves with a page, after its source path has become `path`. */
function carrierAfter({ carrier, sourcePath }: PageRow, path: string): string {
  return carrier === sourcePath ? path : path.slice(0, path.lastIndexOf("/"));
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
  if (row === null || !row.page.isMovable) return;
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

interface MoveDialogProps {
  page: PageRow;
  onClose(): void;
  onMoved(): void;
}

/** Asks for the new parent of a page: for keyboards, touch screens and long ways. */
export function MoveDialog({ page, onClose, onMoved }: MoveDialogProps): VNode {
  const [parent, setParent] = useState<PageRow | null>(null);
  const [isChosen, setChosen] = useState(false);
  return (
    <FormDialog
      title={t("move.title", { title: page.title })}
      action={t("move.action")}
      onClose={onClose}
      onSubmit={async () => {
        if (isChosen) await moveTo(page, { parent, before: null }, onMoved);
      }}
    >
      <p>{t("move.why")}</p>
      <PagePicker
        legend={t("move.below")}
        parent={page.parent ?? "/"}
        isPossible={(one) => isPossibleParent(one, page)}
        onChoose={(_, chosen) => {
          setParent(chosen);
          setChosen(true);
        }}
      />
    </FormDialog>
  );
}

/** A new parent is neither the page nor below it. */
export function isPossibleParent(parent: PageRow, page: PageRow): boolean {
  if (parent.isModule || parent.route === "/") return false;
  return parent.sourcePath !== page.sourcePath && !isInside(parent, page);
}
