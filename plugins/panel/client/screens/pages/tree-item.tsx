import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, FolderInput, GripVertical } from "lucide";
import type { IconNode } from "lucide";
import type { VNode } from "preact";
import { editPath, href } from "../../app/router.js";
import { PageBadge, statusText } from "../../parts/badge.js";
import { Icon } from "../../parts/icon.js";
import { t } from "./pages-texts.js";
import { canMove, hasNumber, type Tree } from "./tree.js";
import { may } from "../../api/session.js";
import type { PageRow } from "../../api/types.js";

/** All items of the tree share these. */
export interface TreeShared {
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
export function TreeItem(props: TreeItemProps): VNode {
  const { page, siblings, level, shared } = props;
  const { tree, current } = shared;
  const hasBelow = page.hasChildren === true && page.route !== "/";
  const isOpen = tree.open.has(page.route);
  const isMarked = isMarkedPage(page);
  const status = statusText(page.broken === undefined ? page.status : "broken");
  const isCurrent = current === page.sourcePath;
  return (
    <li role="none">
      <div
        role="treeitem"
        class="tree-row"
        // The whole text of the row, as screen readers expect.
        aria-label={isMarked ? `${page.title} ${status}` : page.title}
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
  const isMovable = may("pages.update") && page.broken === undefined && canMove(page);
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
      {isMarkedPage(page) && <PageBadge page={page} />}
      {isMovable && (
        <span class="tree-actions">
          {hasNumber(page.sourcePath) && (
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
        </span>
      )}
    </>
  );
}

/** A broken page has a badge even when its last good version is served. */
function isMarkedPage({ broken, status }: PageRow): boolean {
  return broken !== undefined || status !== "published";
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
