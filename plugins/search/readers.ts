import type { SearchFilters } from "./contract.js";
import type { DocumentHead } from "./documents.js";

/**
 * The facet that every document of a site in several languages has: the languages whose readers get it, as
 * written or standing in for a missing translation. No configured facet begins with a colon.
 */
export const READERS = ":readers";

/** The filters with that of a language's readers. */
export function forReaders(filters: SearchFilters, lang: string): SearchFilters {
  return { ...filters, facets: { ...filters.facets, [READERS]: [lang] } };
}

/** The language whose readers a query is for; null for a query without fallback. */
export function readersOf({ facets }: SearchFilters): string | null {
  return facets[READERS]?.[0] ?? null;
}

/** On a site with one language there is nothing to choose. */
export function withReaders<D extends DocumentHead>(document: D, readers: readonly string[]): D {
  if (readers.length < 1 || (document.lang === "" && readers.length < 2)) return document;
  return { ...document, facets: { ...document.facets, [READERS]: readers } };
}
