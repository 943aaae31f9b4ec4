import { getSearchUrl } from "#theme";
import type { PageView, TemplateProps } from "#theme";

interface TagsProps extends Pick<TemplateProps, "hasPlugin" | "t"> {
  page: PageView;
}

/** The taxonomy of a page; each value leads to what else has it, where there is a search. */
export function Tags({ page, hasPlugin, t }: TagsProps) {
  const values = [...new Set(Object.values(page.taxonomy).flat())];
  if (values.length === 0) return null;
  const hasSearch = hasPlugin("search");
  return (
    <ul class="tags" aria-label={t("page.tags", "Tags")}>
      {values.map((value) => (
        <li key={value}>{hasSearch ? <a href={getSearchUrl(value)}>{value}</a> : value}</li>
      ))}
    </ul>
  );
}
