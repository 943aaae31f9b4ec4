import type { TemplateProps } from "#theme";

/** The script of the search dialog, with its texts. Search works without it. */
export function SearchDialog({ hasPlugin, themeConfig, t, asset, href, lang }: TemplateProps) {
  if (!hasPlugin("search") || themeConfig["show_search"] === false) return null;
  const src = asset("search-dialog.js");
  return (
    <script
      type="module"
      data-search-dialog=""
      src={src}
      data-src={src.replace(/\?.*$/, "")}
      data-page={href("/search")}
      data-lang={lang}
      data-label={t("search.label", "Search")}
      data-results={t("search.results", "Results")}
      data-similar={t("search.similar", "Similar words")}
      data-suggested={t("search.suggested", "Suggestions")}
      data-meant={t("search.meant", "Did you mean:")}
      data-recent={t("search.recent", "Recent searches")}
      data-clear={t("search.clear", "Clear recent searches")}
      data-close={t("search.close", "Close")}
      data-keys={t("search.keys", "↑ ↓ to choose, Enter to open, Esc to close")}
      data-failed={t("search.failed", "Search is not available at the moment.")}
      data-none={t("search.none", "Nothing found for “{q}”")}
      data-one={t("search.one", "1 result for “{q}”")}
      data-many={t("search.many", "{n} results for “{q}”")}
    />
  );
}
