/** Address of the search page for a query. */
export function getSearchUrl(query: string, base = "/search"): string {
  return `${base}?q=${encodeURIComponent(query)}`;
}
