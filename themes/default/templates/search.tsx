import { formatDate, Html, type SearchResultView, type SearchTemplateProps } from "#theme";
import { Icon } from "../components/icon.js";

/** The search page: a form, results and facets. */
export default function Search(props: SearchTemplateProps) {
  const { Layout, t, searchQuery, searchResults, searchTotal, searchFacetCounts } = props;
  const total = searchTotal ?? searchResults.length;
  const facets = Object.entries(searchFacetCounts).filter(
    ([, counts]) => Object.keys(counts).length > 0,
  );
  return (
    <Layout {...props} kind="search">
      <div class="wrap">
        <header class="page-header">
          <h1>{t("search.title", "Search")}</h1>
          <SearchForm {...props} />
        </header>
        {searchQuery !== "" && (
          <p class="search-count" role="status">
            {countText(t, total)
              .replace("{n}", String(total))
              .replace("{q}", () => searchQuery)}
          </p>
        )}
        <DidYouMean {...props} />
        <div class={facets.length === 0 ? "search-body" : "search-body has-facets"}>
          {facets.length > 0 && <Facets {...props} facets={facets} />}
          <div>
            <ol class="results" start={props.searchOffset + 1} {...exportTexts(props)}>
              {searchResults.map((result) => (
                <Result key={result.route} {...props} result={result} />
              ))}
            </ol>
            <Pager {...props} />
            <Similar {...props} />
          </div>
        </div>
      </div>
    </Layout>
  );
}

// In a static export, a script fills the list with the strings of the theme.
function exportTexts({ t, searchLang }: SearchTemplateProps): Record<string, string | undefined> {
  return {
    "data-search-results": "",
    "data-lang": searchLang ?? undefined,
    "data-none": t("search.none", "Nothing found for “{q}”"),
    "data-one": t("search.one", "1 result for “{q}”"),
    "data-many": t("search.many", "{n} results for “{q}”"),
    "data-similar": t("search.similar", "Similar words"),
    "data-meant": t("search.meant", "Did you mean:"),
    "data-narrow": t("search.narrow", "Filter results"),
    "data-pages": t("pagination.label", "Pages"),
    "data-previous": t("pagination.previous", "Previous"),
    "data-next": t("pagination.next", "Next"),
  };
}

function SearchForm({ t, pathname, searchQuery, searchSort, searchType }: SearchTemplateProps) {
  const label = t("search.label", "Search");
  return (
    <form class="search-form" role="search" action={pathname} method="get">
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={searchQuery}
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        data-search
      />
      {searchSort === "date" && <input type="hidden" name="sort" value="date" />}
      {searchType !== "" && searchType !== "all" && (
        <input type="hidden" name="type" value={searchType} />
      )}
      <button type="submit" class="button primary">
        {t("search.submit", "Search")}
      </button>
    </form>
  );
}

function Facets(
  props: SearchTemplateProps & { facets: [string, Readonly<Record<string, number>>][] },
) {
  const { facets, t, search } = props;
  const chosen = new URLSearchParams(search);
  return (
    <nav class="facets" aria-label={t("search.narrow", "Filter results")}>
      {facets.map(([field, counts]) => (
        <section key={field}>
          <h2>{t(`search.facet.${field}`, field.split(".").at(-1) ?? field)}</h2>
          <ul>
            {Object.entries(counts).map(([value, count]) => {
              const isOn = chosen.getAll(`facet[${field}]`).includes(value);
              return (
                <li key={value}>
                  <a
                    href={toggled(props, { field, value })}
                    aria-current={isOn ? "true" : undefined}
                    rel="nofollow"
                  >
                    <span>{value}</span> <span class="count">{count}</span>
                  </a>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Pager(props: SearchTemplateProps) {
  const { t, searchOffset, searchLimit, searchHasMore } = props;
  if (searchOffset === 0 && !searchHasMore) return null;
  const before = Math.max(0, searchOffset - searchLimit);
  return (
    <nav class="pagination" aria-label={t("pagination.label", "Pages")}>
      {searchOffset > 0 ? (
        <a rel="prev" href={atOffset(props, before)}>
          {t("pagination.previous", "Previous")}
        </a>
      ) : (
        <span />
      )}
      {searchHasMore ? (
        <a rel="next" href={atOffset(props, searchOffset + searchLimit)}>
          {t("pagination.next", "Next")}
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}

function toggled(
  { search, pathname }: SearchTemplateProps,
  facet: { field: string; value: string },
): string {
  const params = new URLSearchParams(search);
  const name = `facet[${facet.field}]`;
  const values = params.getAll(name);
  params.delete("offset");
  params.delete(name);
  const isOn = values.includes(facet.value);
  const next = isOn ? values.filter((value) => value !== facet.value) : [...values, facet.value];
  for (const value of next) params.append(name, value);
  return `${pathname}?${params}`;
}

function atOffset({ search, pathname }: SearchTemplateProps, offset: number): string {
  const params = new URLSearchParams(search);
  params.set("offset", String(offset));
  if (offset === 0) params.delete("offset");
  return `${pathname}?${params}`;
}

function countText(t: SearchTemplateProps["t"], total: number): string {
  if (total === 0) return t("search.none", "Nothing found for “{q}”");
  return total === 1
    ? t("search.one", "1 result for “{q}”")
    : t("search.many", "{n} results for “{q}”");
}

interface ResultProps extends SearchTemplateProps {
  result: SearchResultView;
  /** Its heading; default `h2`. */
  level?: "h2" | "h3";
}

/** One result. */
function Result({ result, lang, level: Heading = "h2" }: ResultProps) {
  const url = result.route;
  return (
    <li class="result">
      <Heading>
        <a href={url}>{result.title}</a>
      </Heading>
      <p class="result-place">
        {url}
        {result.date ? (
          <time dateTime={result.date}>{formatDate(result.date, lang, "medium")}</time>
        ) : null}
      </p>
      <Html as="p" html={onlyMarks(result.excerpt)} />
    </li>
  );
}

/** The query without typos. */
function DidYouMean({ searchDidYouMean: query, pathname, t }: SearchTemplateProps) {
  if (query === null || query === undefined) return null;
  return (
    <p class="search-meant">
      {t("search.meant", "Did you mean:")}{" "}
      <a href={`${pathname}?${new URLSearchParams({ q: query })}`}>{query}</a>
    </p>
  );
}

/** Hits by similar words, as a group of their own. */
function Similar(props: SearchTemplateProps) {
  const { searchSimilar: similar = [], t } = props;
  if (similar.length === 0) return null;
  return (
    <section class="search-similar" aria-labelledby=":similar">
      <h2 id=":similar">{t("search.similar", "Similar words")}</h2>
      <ol class="results">
        {similar.map((result) => (
          <Result key={result.route} {...props} result={result} level="h3" />
        ))}
      </ol>
    </section>
  );
}

// Excerpts are escaped; <mark> is the only markup, with every engine.
function onlyMarks(html: string): string {
  return html.replace(/<(?!\/?mark>)/g, "&lt;");
}
