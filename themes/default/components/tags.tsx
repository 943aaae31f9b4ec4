import { getSearchUrl } from "#theme";
import type { PageView, TemplateProps } from "#theme";

interface TagsProps extends Pick<TemplateProps, "hasPlugin" | "href" | "t"> {
  page: PageView;
}

/** The taxonomy of a page; each term links to a search, if there is one. */
export function Tags({ page, hasPlugin, href, t }: TagsProps) {
  const terms = Object.entries(page.taxonomy).flatMap(([name, values]) =>
    values.map((value) => ({ name, value })),
  );
  if (terms.length === 0) return null;
  const hasSearch = hasPlugin("search");
  return (
    <ul class="tags" aria-label={t("page.tags", "Tags")}>
      {terms.map(({ name, value }) => (
        <li key={`${name}:${value}`}>
          {hasSearch ? <a href={termUrl(name, value, href("/search"))}>{value}</a> : value}
        </li>
      ))}
    </ul>
  );
}

// The query ranks pages with the term in their title first; the filter excludes pages without it.
function termUrl(name: string, value: string, search: string): string {
  const key = encodeURIComponent(`taxonomy[${name}][]`);
  return `${getSearchUrl(value, search)}&${key}=${encodeURIComponent(value)}`;
}
