/** Error codes of search, with meaning and fix. */
export const searchErrors = {
  ERR_SEARCH_UNAVAILABLE:
    "The search engine failed, was too slow or has no index yet: ask again later; the detailed health (`health_token`) says why.",
  ERR_SEARCH_ENGINE:
    "The search engine failed, or returned an invalid value: the message names engine, plugin, member and field; correct the engine.",
  ERR_SEARCH_SYNONYMS:
    "The file of synonyms has a mistake: correct the line that is named; the former synonyms apply until then.",
  ERR_SEARCH_MOMENT:
    "A moment has more pages than search indexes for it (20,000 pages, 128 MB of text): leave out `at`, `rev` and `preview`.",
} as const;
