import { getSearchUrl } from "#theme";
import type { PageView, TemplateProps } from "#theme";
import { languageAttributes } from "./prose.js";

interface TagsProps extends Pick<
  TemplateProps,
  "hasPlugin" | "href" | "t" | "listings" | "listingUrl"
> {
  page: PageView;
}

/** The taxonomy of a page; each term links to its pages, or to a search. */
export function Tags({ page, hasPlugin, href, t, listings, listingUrl }: TagsProps) {
  const terms = Object.entries(page.taxonomy).flatMap(([name, values]) =>
    values.map((value) => ({ name, value })),
  );
  if (terms.length === 0) return null;
  const hasSearch = hasPlugin("search");
  // Only lists in the language of the terms have their pages.
  const lang = page.fallback ? page.lang : undefined;
  const termLink = (name: string, value: string): string | null => {
    if (listings) return listingUrl(name, value, lang);
    return hasSearch ? termUrl(name, value, href("/search", lang)) : null;
  };
  return (
    <ul class="tags" aria-label={t("page.tags", "Tags")}>
      {terms.map(({ name, value }) => {
        const url = termLink(name, value);
        return (
          <li key={`${name}:${value}`} {...languageAttributes(page)}>
            {url === null ? value : <a href={url}>{value}</a>}
          </li>
        );
      })}
    </ul>
  );
}

// The query ranks pages with the term in their title first; the filter excludes pages without it.
function termUrl(name: string, value: string, search: string): string {
  const key = encodeURIComponent(`taxonomy[${name}][]`);
  return `${getSearchUrl(value, search)}&${key}=${encodeURIComponent(value)}`;
}
