/** The rules of search engines, which `searchEngineContract` states when a check fails. */
export const ENGINE_RULES = {
  ranks:
    "hits are sorted by score, the best first, then by date, the newest first, then by route; each score is above 0",
  dates:
    'with `sort: "date"`, or without a text, hits are sorted by date, the newest first, then by route; pages without a date come last',
  slices: "`hits` are those from `offset` to `offset + limit`, and `total` counts all matches",
  access:
    "a document is in hits, totals, counts and suggestions only for viewers whose `access` has its access key",
  counts:
    "the counts of a facet leave out the selection of that facet, and apply all other filters",
  suggestions:
    "suggestions are titles that begin with the prefix, in alphabetical order, then indexed words that begin with it, the most frequent first; a word that equals a suggested title is left out",
  languages: "with `lang`, suggestions come from documents of that language and of none",
  words: "`words` has each indexed word of that beginning and length once, and no other",
  builds: "`build` replaces all documents of the build before",
  updates:
    "`update` removes the routes in `remove`, and replaces or adds the documents in `upsert`; an unknown route in `remove` is ignored",
  explanations:
    "`explain` has the score that `search` gives the page, with the words that match; it is null for a page that does not match",
  empty: "an engine without documents finds and suggests nothing, and does not throw",
} as const;
