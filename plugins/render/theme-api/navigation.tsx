import type { VNode } from "preact";
import type { NavItem } from "../../content/contract.js";
import type { PageLink, CollectionView } from "../contract.js";
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
