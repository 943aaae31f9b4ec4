import type { SearchFilters } from "../contract.js";
import type { DocumentHead } from "../index/documents.js";

/**
 * The facet of every document of a multilingual site: the languages whose readers get it, in its
 * own language or in place of a missing translation. No configured facet starts with a colon.
 */
export const READERS = ":readers";

/** Adds the filter for a language's readers. */
export function forReaders(filters: SearchFilters, lang: string): SearchFilters {
  return { ...filters, facets: { ...filters.facets, [READERS]: [lang] } };
}

/** The language whose readers a query is for; null for a query without fallback. */
export function readersOf({ facets }: SearchFilters): string | null {
  return facets[READERS]?.[0] ?? null;
}

/** A site with one language has no choice. */
export function withReaders<D extends DocumentHead>(document: D, readers: readonly string[]): D {
  if (readers.length < 1 || (document.lang === "" && readers.length < 2)) return document;
  return { ...document, facets: { ...document.facets, [READERS]: readers } };
}
