import type { VNode } from "preact";
import type { NavItem } from "../../content/contract.js";
import type { PageLink, CollectionView, SidebarItem } from "../contract.js";
import { inLanguage } from "../theme/strings.js";

/** Props of `NavTree`. */
interface NavTreeProps {
  items: readonly NavItem[];
  /** Route of the current page: its link is marked, its branch is open. */
  current: string;
  /** Address of a route (`props.href`). */
  href?: (route: string) => string;
  /** Levels below the first to show; default all. */
  levels?: number;
  /** Only the branch of the current page is expanded. */
  branchOnly?: boolean;
}

/** The navigation as nested lists of links. */
export function NavTree(props: NavTreeProps): VNode | null {
  const { items, current, href = asIs, levels = Infinity, branchOnly = false } = props;
  if (items.length === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <li key={item.route}>
          <a
            href={href(item.route)}
            {...inLanguage(item.lang)}
            aria-current={item.route === current ? "page" : undefined}
          >
            {item.title}
          </a>
          {levels > 0 && (!branchOnly || isBelow(current, item.route)) && (
            <NavTree {...props} items={item.children ?? []} levels={levels - 1} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Props of `SidebarEntries`. */
interface SidebarEntriesProps {
  items: readonly SidebarItem[];
  t: (key: string, fallback?: string) => string;
  /** Route of the current page: its link is marked, its groups are open. Default: none. */
  current?: string | undefined;
  /** True: all groups are open. */
  isOpen?: boolean | undefined;
  /** The group of the entries: its own page is their first one, so that a click on its name only folds it. */
  group?: SidebarItem | null;
}

/**
 * The entries of a sidebar, in groups that fold. A closed group of a large tree, and the rest of a long
 * list, are links with the address of their entries in `data-branch`, which a script can load.
 */
export function SidebarEntries({ items, group, ...common }: SidebarEntriesProps): VNode {
  const { t, current } = common;
  return (
    <ul>
      {group && group.url !== null && (
        <li>
          <SidebarLink item={overviewOf(group, t)} current={current} />
        </li>
      )}
      {items.map((item) => (
        <li key={`${item.route ?? ""} ${item.title} ${item.more?.side ?? ""}`}>
          {item.items.length > 0 ? (
            <details open={common.isOpen === true || hasRoute(item, current)}>
              <summary {...inLanguage(item.lang)}>
                <span>{item.title}</span>
              </summary>
              <SidebarEntries {...common} items={item.items} group={item} />
            </details>
          ) : (
            <SidebarLink item={item} current={current} more={moreText(item, t)} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Props of a link in the sidebar. */
interface SidebarLinkProps {
  item: SidebarItem;
  current: string | undefined;
  /** The text of an entry that stands for others. */
  more?: string | undefined;
}

function SidebarLink({ item, current, more }: SidebarLinkProps): VNode {
  const { url, route, title, lang, branch } = item;
  if (url === null) return <span class="docs-nav-label">{title}</span>;
  return (
    <a
      href={url}
      {...inLanguage(lang)}
      aria-current={route !== null && route === current ? "page" : undefined}
      data-branch={branch}
      data-more={item.more && `${item.more.side} ${item.more.at}`}
    >
      {more ?? title}
    </a>
  );
}

function overviewOf({ url, route }: SidebarItem, t: SidebarEntriesProps["t"]): SidebarItem {
  return { title: t("docs.overview", "Overview"), url, route, items: [] };
}

function moreText({ more }: SidebarItem, t: SidebarEntriesProps["t"]): string | undefined {
  return more && t("docs.more", "{n} more").replace("{n}", String(more.count));
}

function hasRoute(item: SidebarItem, route: string | undefined): boolean {
  if (route === undefined) return false;
  return item.route === route || item.items.some((child) => hasRoute(child, route));
}

function isBelow(route: string, ancestor: string): boolean {
  return route === ancestor || route.startsWith(`${ancestor}/`);
}

function asIs(route: string): string {
  return route;
}

/** Props of `Breadcrumbs`. */
interface BreadcrumbsProps {
  items: readonly PageLink[];
  /** Accessible name of the list. */
  label?: string;
  class?: string;
}

/** The trail from the home page to this one; nothing for an empty trail. */
export function Breadcrumbs({ items, label, class: name }: BreadcrumbsProps): VNode | null {
  if (items.length < 2) return null;
  const last = items.length - 1;
  return (
    <nav class={name ?? "breadcrumbs"} aria-label={label ?? "Breadcrumbs"}>
      <ol>
        {items.map((item, index) => (
          <li key={item.url}>
            <a
              href={item.url}
              {...inLanguage(item.lang)}
              aria-current={index === last ? "page" : undefined}
            >
              {item.title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Props of `Pagination`. */
interface PaginationProps {
  collection: Pick<CollectionView, "page" | "pages" | "prevUrl" | "nextUrl">;
  t?: (key: string, fallback?: string) => string;
  class?: string;
}

/** Links to the previous and next page of a list; nothing when there are none. */
export function Pagination({
  collection,
  t = fallbackText,
  class: name,
}: PaginationProps): VNode | null {
  const { page, pages, prevUrl, nextUrl } = collection;
  if (pages < 2 || (prevUrl === null && nextUrl === null)) return null;
  const position = t("pagination.place", "Page {page} of {pages}")
    .replace("{page}", String(page))
    .replace("{pages}", String(pages));
  return (
    <nav class={name ?? "pagination"} aria-label={t("pagination.label", "Pages")}>
      {prevUrl === null ? (
        <span />
      ) : (
        <a rel="prev" href={prevUrl}>
          {t("pagination.newer", "Newer")}
        </a>
      )}
      <span class="pagination-place">{position}</span>
      {nextUrl === null ? (
        <span />
      ) : (
        <a rel="next" href={nextUrl}>
          {t("pagination.older", "Older")}
        </a>
      )}
    </nav>
  );
}

function fallbackText(key: string, fallback?: string): string {
  return fallback ?? key;
}
