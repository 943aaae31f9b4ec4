/** Codes of search, with what they mean and what mends them. */
export const searchErrors = {
  ERR_SEARCH_UNAVAILABLE:
    "The search engine failed, was too slow or has no index yet: ask again later; `/health?detailed=true` says why.",
} as const;
