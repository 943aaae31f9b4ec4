import { formatDate, Html } from "#theme";
import type { SearchResultView, SearchTemplateProps } from "#theme";

interface ResultProps extends SearchTemplateProps {
  result: SearchResultView;
  /** Its heading; default `h2`. */
  level?: "h2" | "h3";
}

/** One result. */
export function Result({ result, lang, level: Heading = "h2" }: ResultProps) {
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
export function DidYouMean({ searchDidYouMean: query, pathname, t }: SearchTemplateProps) {
  if (query === null || query === undefined) return null;
  return (
    <p class="search-meant">
      {t("search.meant", "Did you mean:")}{" "}
      <a href={`${pathname}?${new URLSearchParams({ q: query })}`}>{query}</a>
    </p>
  );
}

/** Hits by similar words, as a group of their own. */
export function Similar(props: SearchTemplateProps) {
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
