import type { RefObject, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { editPath, navigate } from "../../app/router.js";
import { attempt } from "../../app/toasts.js";
import { Failure } from "../../parts/failure.js";
import { t } from "./pages-texts.js";
import { TreeItem, type TreeShared } from "./tree-item.js";
import { MoveDialog, moveTo, reorder, shifted } from "./tree-moves.js";
import {
  findPage,
  hasNumber,
  orderable,
  placeAt,
  sidesOf,
  useTree,
  type Side,
  type Tree,
  type TreePlace,
} from "./tree.js";
import { may } from "../../api/session.js";
import { usePageEvents } from "../../api/events.js";
import type { PageRow } from "../../api/types.js";

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
    const others = orderable(siblings);
    const target = others[others.indexOf(page) + step];
    if (target === undefined || !hasNumber(target.sourcePath) || target.route === "/") return;
    const position = step < 0 ? "before" : "after";
    void attempt(() => reorder({ page, target, position, siblings: others }, tree.reload));
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
        onFocusIn={(event) => setCurrent(pathOf(event.target) ?? chosen)}
        onKeyDown={(event) =>
          treeKey(event, {
            toggle: tree.toggle,
            open: (path) => navigate(editPath(path)),
            step: (path, step) => {
              const found = findPage(tree, path);
              if (found !== null && may("pages.update")) onStep(found.page, found.siblings, step);
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

/** Rows are registered again when the tree has other rows. */
function useDragging(tree: Tree, root: RefObject<HTMLUListElement | null>): void {
  const latest = useRef(tree);
  latest.current = tree;
  useEffect(() => {
    const element = root.current;
    if (element === null || !may("pages.update")) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    void import("./tree-drag.js").then(({ makeDraggable }) => {
      if (isOver) return;
      stop = makeDraggable(element, {
        sides: (path, target) => sidesOf(latest.current, path, target),
        drop: (path, target, side) =>
          void attempt(() => dropped(latest.current, path, target, side)),
      });
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [tree.levels, tree.open]);
}

async function dropped(tree: Tree, path: string, target: string, side: Side): Promise<void> {
  const page = findPage(tree, path)?.page;
  const place = placeAt(tree, target, side);
  if (page === undefined || place === null || place.before === page) return;
  const { parent, route, siblings, before } = place;
  if (siblings.includes(page)) return among(tree, page, place);
  const onChange = (): void => (parent === null ? tree.reload() : tree.show(route));
  await moveTo(page, { parent, before }, onChange);
}

async function among(tree: Tree, page: PageRow, { siblings, before }: TreePlace): Promise<void> {
  const next = siblings[siblings.indexOf(page) + 1] ?? null;
  const last = siblings.filter((one) => one !== page).at(-1);
  if (next === before || last === undefined) return;
  const target = before ?? last;
  const position = before === null ? "after" : "before";
  await reorder({ page, target, position, siblings }, tree.reload);
}

function pathOf(target: EventTarget | null): string | null {
  const item = target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;
  return item?.dataset["path"] ?? null;
}

/** The actions of keys in the tree. */
interface TreeActions {
  /** Opens or closes what is below a route. */
  toggle(route: string): void;
  /** Opens a page by its source path. */
  open(path: string): void;
  /** Moves a page among its siblings. */
  step(path: string, step: 1 | -1): void;
  /** Moves a page to the level above (-1), or below the page before it (1). */
  shift(path: string, step: 1 | -1): void;
}
type Handler = (item: HTMLElement, actions: TreeActions) => void;

const handlers: Readonly<Record<string, Handler>> = {
  ArrowDown: (item) => focusBy(item, 1),
  ArrowUp: (item) => focusBy(item, -1),
  ArrowRight: (item, { toggle }) => {
    if (item.ariaExpanded === "false") toggle(item.dataset["route"] ?? "");
    else if (item.ariaExpanded === "true") focusBy(item, 1);
  },
  ArrowLeft: (item, { toggle }) => {
    if (item.ariaExpanded === "true") toggle(item.dataset["route"] ?? "");
    else parentOf(item)?.focus();
  },
  Home: (item) => itemsOf(item)[0]?.focus(),
  End: (item) => itemsOf(item).at(-1)?.focus(),
  Enter: (item, { open }) => open(item.dataset["path"] ?? ""),
  "Alt+ArrowUp": (item, { step }) => step(item.dataset["path"] ?? "", -1),
  "Alt+ArrowLeft": (item, { shift }) => shift(item.dataset["path"] ?? "", -1),
  "Alt+ArrowRight": (item, { shift }) => shift(item.dataset["path"] ?? "", 1),
  "Alt+ArrowDown": (item, { step }) => step(item.dataset["path"] ?? "", 1),
};

/** Handles the keys of the tree pattern while an item itself has the focus. */
function treeKey(event: KeyboardEvent, actions: TreeActions): void {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLElement) || target.role !== "treeitem") return;
  const handler = handlers[altKey ? `Alt+${key}` : key];
  if (handler === undefined || ctrlKey || metaKey) return;
  event.preventDefault();
  handler(target, actions);
}

function focusBy(item: HTMLElement, step: 1 | -1): void {
  const items = itemsOf(item);
  items[items.indexOf(item) + step]?.focus();
}

function itemsOf(item: HTMLElement): HTMLElement[] {
  const tree = item.closest("[role=tree]");
  return tree === null ? [] : [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
}

function parentOf(item: HTMLElement): HTMLElement | null {
  const above = item.closest(".tree-level")?.closest("li");
  return above?.querySelector<HTMLElement>("[role=treeitem]") ?? null;
}
