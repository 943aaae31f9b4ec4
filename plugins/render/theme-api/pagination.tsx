import type { VNode } from "preact";
import type { CollectionView } from "../contract.js";

/** Props of `Pagination`. */
interface PaginationProps {
  collection: Pick<CollectionView, "page" | "pages" | "prevUrl" | "nextUrl">;
  t?: (key: string, fallback?: string) => string;
  class?: string;
}

/** Links to the previous and next page of a list; nothing when there are none. */
export function Pagination({
  collection,
  t = fallbackOf,
  class: name,
}: PaginationProps): VNode | null {
  const { page, pages, prevUrl, nextUrl } = collection;
  if (pages < 2 || (prevUrl === null && nextUrl === null)) return null;
  const place = t("pagination.place", "Page {page} of {pages}")
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
      <span class="pagination-place">{place}</span>
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

function fallbackOf(key: string, fallback?: string): string {
  return fallback ?? key;
}
