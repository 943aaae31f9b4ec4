import type { SearchDocument, SearchQuery } from "../contract.js";
import { queryTerms } from "../query/terms.js";

/** A query as the service creates it; fills in what a test omits. */
export function toQuery(text: string, rest: Partial<SearchQuery> = {}): SearchQuery {
  return {
    text,
    terms: queryTerms(text),
    filters: { taxonomy: {}, facets: {} },
    sort: "relevance",
    limit: 20,
    offset: 0,
    lang: null,
    access: [""],
    facets: [],
    ...rest,
  };
}

/** Documents as the stream that `build` expects. */
export async function* streamOf(
  documents: Iterable<SearchDocument>,
): AsyncGenerator<SearchDocument> {
  yield* documents;
}
