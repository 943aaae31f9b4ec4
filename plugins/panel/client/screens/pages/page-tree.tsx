import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronRight,
  FolderInput,
  GripVertical,
  Plus,
  type IconNode,
} from "lucide";
import type { RefObject, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePageEvents } from "../../api/events.js";
import { may } from "../../api/session.js";
import type { PageRow } from "../../api/answers.js";
import { editPath, href, navigate, setQuery } from "../../app/router.js";
import { attempt } from "../../app/toasts.js";
import { PageBadge, plannedTimes, publicationTexts } from "../../parts/badge.js";
import type { Side } from "../../parts/drag.js";
import { Failure, lazy } from "../../parts/loading.js";
import { Icon } from "../../parts/icon.js";
import { filesOfPage, LanguageMarks, shownLanguages } from "../../parts/language-marks.js";
import { t } from "./pages-texts.js";
import { MoveDialog, moveTo, reorder, shifted } from "./tree-moves.js";
import {
  findPage,
  hasNumber,
  orderable,
  findPlace,
  allowedSides,
  type Tree,
  type TreePlace,
  useTree,
} from "./tree.js";

const RowMenu = lazy(() => import("./row-menu.js"));

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
    if (target === undefined || !hasNumber(page) || !hasNumber(target)) return;
    if (target.route === "/") return;
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
        onFocusIn={(event) => setCurrent(readPath(event.target) ?? chosen)}
        onKeyDown={(event) =>
          treeKey(event, {
            toggle: tree.toggle,
            open: (path) => navigate(editPath(path)),
            step: (path, step) => {
              const row = findPage(tree, path);
              if (row?.page.isMovable === true) onStep(row.page, row.siblings, step);
            },
            shift: (path, step) => {
              void attempt(() => shifted(tree, path, step));
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
    void import("../../parts/drag.js").then(({ makeDraggable }) => {
      if (isOver) return;
      stop = makeDraggable(element, {
        sides: (path, target) => allowedSides(latest.current, path, target),
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
  const newPlace = findPlace(tree, target, side);
  if (page === undefined || newPlace === null || newPlace.before === page) return;
  const { parent, route, siblings, before } = newPlace;
  if (siblings.includes(page)) return among(tree, page, newPlace);
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

function readPath(target: EventTarget | null): string | null {
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
    else findParent(item)?.focus();
  },
  Home: (item) => listItems(item)[0]?.focus(),
  End: (item) => listItems(item).at(-1)?.focus(),
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
  const items = listItems(item);
  items[items.indexOf(item) + step]?.focus();
}

function listItems(item: HTMLElement): HTMLElement[] {
  const tree = item.closest("[role=tree]");
  return tree === null ? [] : [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
}

function findParent(item: HTMLElement): HTMLElement | null {
  const above = item.closest(".tree-level")?.closest("li");
  return above?.querySelector<HTMLElement>("[role=treeitem]") ?? null;
}

/** All items of the tree share these. */
interface TreeShared {
  tree: Tree;
  /** Source path of the item that the Tab key reaches. */
  current: string;
  onMove(page: PageRow): void;
  onStep(page: PageRow, siblings: readonly PageRow[], step: 1 | -1): void;
}

interface TreeLevelProps {
  /** Route of the page above. */
  route: string;
  /** From 1. */
  level: number;
  shared: TreeShared;
}

/** The pages of a level with those below them. */
function TreeLevel({ route, level, shared }: TreeLevelProps): VNode {
  const pages = shared.tree.levels.get(route) ?? [];
  const items = pages.map((page) => (
    <TreeItem key={page.sourcePath} page={page} siblings={pages} level={level} shared={shared} />
  ));
  return (
    <ul role="group" class="tree-level">
      {items}
    </ul>
  );
}

interface TreeItemProps {
  page: PageRow;
  /** All pages of its level. */
  siblings: readonly PageRow[];
  /** From 1. */
  level: number;
  shared: TreeShared;
}

/** A page in the tree. */
function TreeItem(props: TreeItemProps): VNode {
  const { page, siblings, level, shared } = props;
  const { tree, current } = shared;
  const hasBelow = page.hasChildren === true && page.route !== "/";
  const isOpen = tree.open.has(page.route);
  const isCurrent = current === page.sourcePath;
  return (
    <li role="none">
      <div
        role="treeitem"
        class="tree-row"
        aria-label={rowText(page)}
        aria-level={level}
        style={{ "--level": level }}
        aria-expanded={hasBelow ? isOpen : undefined}
        aria-posinset={siblings.indexOf(page) + 1}
        aria-setsize={siblings.length}
        tabIndex={isCurrent ? 0 : -1}
        data-path={page.sourcePath}
        data-route={page.route}
      >
        <TreeRow {...props} hasBelow={hasBelow} isOpen={isOpen} tabIndex={isCurrent ? 0 : -1} />
      </div>
      {isOpen && hasBelow && <TreeLevel route={page.route} level={level + 1} shared={shared} />}
    </li>
  );
}

interface TreeRowProps {
  page: PageRow;
  /** All pages of its level. */
  siblings: readonly PageRow[];
  shared: TreeShared;
  hasBelow: boolean;
  isOpen: boolean;
  /** 0 for the row that the Tab key reaches, else -1. */
  tabIndex: number;
}

function TreeRow({ page, siblings, shared, hasBelow, isOpen, tabIndex }: TreeRowProps): VNode {
  const { title } = page;
  const mayAdd = may("pages.create", page) && page.broken === undefined && page.route !== "/";
  const { isMovable } = page;
  return (
    <>
      {isMovable && (
        <span class="tree-grip" title={t("drag", { title })}>
          <Icon of={GripVertical} size={16} />
        </span>
      )}
      {hasBelow && (
        <IconButton
          label={t(isOpen ? "collapse" : "expand", { title })}
          icon={isOpen ? ChevronDown : ChevronRight}
          tabIndex={-1}
          run={() => shared.tree.toggle(page.route)}
        />
      )}
      <a class="page-link" href={href(editPath(page.sourcePath))} tabIndex={tabIndex} data-screen>
        {title}
      </a>{" "}
      <LanguageMarks page={page} tabIndex={tabIndex} />
      {isMarkedPage(page) && <PageBadge page={page} />}
      <span class="tree-actions">
        {mayAdd && (
          <IconButton
            label={t("addBelow", { title })}
            icon={Plus}
            tabIndex={tabIndex}
            run={() => setQuery({ new: page.route })}
          />
        )}
        {isMovable && (
          <>
            {hasNumber(page) && (
              <>
                <IconButton
                  label={t("moveUp", { title })}
                  icon={ArrowUp}
                  tabIndex={tabIndex}
                  run={() => shared.onStep(page, siblings, -1)}
                />
                <IconButton
                  label={t("moveDown", { title })}
                  icon={ArrowDown}
                  tabIndex={tabIndex}
                  run={() => shared.onStep(page, siblings, 1)}
                />
              </>
            )}
            <IconButton
              label={t("move.title", { title })}
              icon={FolderInput}
              tabIndex={tabIndex}
              run={() => shared.onMove(page)}
            />
          </>
        )}
        <RowMenu
          page={page}
          files={filesOfPage(page)}
          tabIndex={tabIndex}
          onChange={shared.tree.reload}
        />
      </span>
    </>
  );
}

/** The whole text of a row, as screen readers expect. */
function rowText(page: PageRow): string {
  const badges = isMarkedPage(page) ? publicationTexts(page) : [];
  return [page.title, ...shownLanguages(page).map(({ lang }) => lang), ...badges].join(" ");
}

/** A broken page has a badge even when its last good version is served. */
function isMarkedPage(page: PageRow): boolean {
  const { coming, going } = plannedTimes(page);
  const isPlain = page.status === "published" && coming === null && going === null;
  return page.broken !== undefined || !isPlain;
}

interface IconButtonProps {
  label: string;
  icon: IconNode;
  tabIndex: number;
  run(): void;
}

function IconButton(props: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="icon"
      aria-label={props.label}
      title={props.label}
      tabIndex={props.tabIndex}
      onClick={props.run}
    >
      <Icon of={props.icon} size={16} />
    </button>
  );
}
