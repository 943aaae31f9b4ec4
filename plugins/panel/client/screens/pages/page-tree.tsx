import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageRow } from "../../api/pages.js";
import { may } from "../../api/session.js";
import { attempt } from "../../app/toasts.js";
import { navigate } from "../../app/router.js";
import { Failure } from "../../parts/failure.js";
import { usePageEvents } from "../../parts/use-page-events.js";
import { editPath } from "./edit-path.js";
import { MoveDialog } from "./move-dialog.js";
import { t } from "./pages-texts.js";
import type { Drop } from "./tree-drag.js";
import { TreeItem, type TreeShared } from "./tree-item.js";
import { treeKey } from "./tree-keys.js";
import { moveTo, reorder } from "./tree-moves.js";
import { hasNumber } from "./tree-paths.js";
import { shifted } from "./tree-shift.js";
import { useTree, type Tree } from "./use-tree.js";

/** The pages as a tree whose levels load when they are opened; pages move by dragging, keys or a dialog. */
export default function PageTree(): VNode {
  const tree = useTree();
  usePageEvents(tree.reload);
  const [moved, setMoved] = useState<PageRow | null>(null);
  const [chosen, setCurrent] = useState("");
  const root = useRef<HTMLUListElement>(null);
  useDragging(tree, root);
  const top = tree.levels.get("/") ?? [];
  const shown = [...tree.levels.values()].flat();
  const current = shown.some((page) => page.sourcePath === chosen)
    ? chosen
    : (top[0]?.sourcePath ?? "");
  const onStep = (page: PageRow, siblings: readonly PageRow[], step: 1 | -1): void => {
    const target = siblings[siblings.indexOf(page) + step];
    if (target === undefined || !hasNumber(target.sourcePath) || target.route === "/") return;
    void attempt(() =>
      reorder([page, target, step < 0 ? "before" : "after"], siblings, tree.reload),
    );
  };
  const shared: TreeShared = { tree, current, onMove: setMoved, onStep };
  return (
    <>
      {tree.error !== null && <Failure error={tree.error} onRetry={tree.reload} />}
      <ul
        ref={root}
        role="tree"
        class="tree tree-level"
        aria-label={t("title")}
        data-parent="/"
        onFocusIn={(event) => setCurrent(pathOf(event.target) ?? chosen)}
        onKeyDown={(event) =>
          treeKey(event, {
            toggle: tree.toggle,
            open: (path) => navigate(editPath(path)),
            step: (path, step) => {
              const siblings =
                [...tree.levels.values()].find((all) => find(all, path) !== null) ?? [];
              const page = find(siblings, path);
              if (page !== null && may("pages.update")) onStep(page, siblings, step);
            },
            shift: (path, step) => {
              if (may("pages.update")) void attempt(() => shifted(tree, path, step));
            },
          })
        }
      >
        {top.map((page) => (
          <TreeItem key={page.sourcePath} page={page} siblings={top} level={1} shared={shared} />
        ))}
      </ul>
      <p class="dim help">{t("tree.help")}</p>
      {moved !== null && (
        <MoveDialog page={moved} onClose={() => setMoved(null)} onMoved={tree.reload} />
      )}
    </>
  );
}

function useDragging(tree: Tree, root: { readonly current: HTMLUListElement | null }): void {
  const drop = useRef<(drop: Drop) => void>(() => {});
  drop.current = (one) => void attempt(() => dropped(tree, one));
  useEffect(() => {
    const element = root.current;
    if (element === null || !may("pages.update")) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    void import("./tree-drag.js").then(({ makeDraggable }) => {
      if (!isOver) stop = makeDraggable(element, (one) => drop.current(one));
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [tree.levels, tree.open]);
}

async function dropped(tree: Tree, { path, parent, before }: Drop): Promise<void> {
  const all = [...tree.levels.values()].flat();
  const page = find(all, path);
  if (page === null) return;
  const siblings = tree.levels.get(parent) ?? [];
  const next = before === null ? null : find(siblings, before);
  if (!siblings.includes(page)) {
    const above = all.find(({ route }) => route === parent) ?? null;
    await moveTo(page, { parent: parent === "/" ? null : above, before: next }, tree.reload);
    return;
  }
  const others = siblings.filter((one) => one !== page);
  const target = next ?? others.at(-1);
  if (target === undefined) return;
  await reorder([page, target, sideOf(next)], siblings, tree.reload);
}

/** After the last page, or after the home page, which stays first. */
function sideOf(next: PageRow | null): "before" | "after" {
  return next === null || next.route === "/" ? "after" : "before";
}

function find(pages: readonly PageRow[], path: string): PageRow | null {
  return pages.find(({ sourcePath }) => sourcePath === path) ?? null;
}

function pathOf(target: EventTarget | null): string | null {
  const item = target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;
  return item?.dataset["path"] ?? null;
}
