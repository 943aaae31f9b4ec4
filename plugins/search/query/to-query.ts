import type { SearchQuery, SearchRequest, SearchSection } from "../contract.js";
import { forReaders } from "./readers.js";
import { parseQuery } from "./syntax.js";

/** What a query depends on besides its request. */
export interface QueryScope {
  /** Facet fields to count. */
  readonly facets: readonly string[];
  readonly isMultilingual: boolean;
  readonly syntax: SearchSection["syntax"];
}

/** The query of a request, for an anonymous viewer. */
export function toQuery(request: SearchRequest, scope: QueryScope): SearchQuery {
  const { sort, limit, offset } = request;
  // With fallback, the `:readers` facet replaces the language filter.
  const isForReaders = request.fallback === true && scope.isMultilingual;
  const { lang, filters } =
    isForReaders && request.lang !== null
      ? { lang: null, filters: forReaders(request.filters, request.lang) }
      : request;
  const { text, terms, extended } = parseQuery(request.text, scope.syntax);
  return {
    text,
    terms,
    filters,
    sort,
    limit,
    offset,
    lang,
    access: [""],
    facets: scope.facets,
    ...(extended !== null && { extended }),
  };
}

/** True when the query has filters, which also work without words. */
export function isBrowsing({ text, filters }: SearchRequest): boolean {
  if (text.trim() !== "") return false;
  const { template, from, to, taxonomy, facets } = filters;
  const given = [template, from, to].some((value) => value !== undefined);
  return given || Object.keys(taxonomy).length + Object.keys(facets).length > 0;
}
