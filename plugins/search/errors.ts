/** Error codes of search, with meaning and fix. */
export const searchErrors = {
  ERR_SEARCH_UNAVAILABLE:
    "The search engine failed, was too slow or has no index yet: ask again later; `/health?detailed=true` says why.",
  ERR_SEARCH_MOMENT:
    "Search finds the present content only: leave out `at`, `rev` and `preview`, or walk through the pages of the moment.",
} as const;
