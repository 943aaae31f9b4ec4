/** The rules of search engines, which `searchEngineContract` states when a check fails. */
export const ENGINE_RULES = {
  matches:
    "a document matches when one of its words begins with one of `terms`: any of the terms is enough, and a term does not match inside of words",
  fields: "title, body, each value of `taxonomy` and each text of `fields` are searched",
  folding:
    "case and accents make no difference, and words of any script and digits are found: split and fold the texts of documents with `tools.tokenize`, as the service does with the query",
  plain:
    "a term is a text and no pattern; names and values of filters may be any text, such as `__proto__`",
  filters:
    "all filters apply: `template` is equal, `date` is from `from` to `to`, both days included, and each taxonomy and facet has one of its values; documents without a date are in no range",
  routes:
    "with `routes`, only the routes of `only` are found, all if it is null, and none of `except`",
  hitLanguages: "with `lang`, hits are documents of that language, and those whose `lang` is empty",
  ranks:
    "with terms, hits are sorted by score, the best first, then by date, the newest first, then by route; each score is a finite number above 0",
  dates:
    'with `sort: "date"`, or without terms, hits are sorted by date, the newest first, then by route; pages without a date come last',
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

/** The rules of the standard score, which `searchRankingContract` states when a check fails. */
export const RANKING_RULES = {
  sum: "the score is a sum over the terms: 3 for the title, 2 for each value of a taxonomy, 1 for each occurrence in the body, at most 5, and 1 for each of `fields`; a title equal to the query adds 5",
  factor: "with several terms that all match, the sum is multiplied by 1.5",
  prefixes: "a word that begins with the term counts as the word itself",
  folding: "case, accents and scripts make no difference to the score",
  exactTitles: "a title equal to the query counts in every language",
  lengths: "the length of a document makes no difference to its score",
  empty: "without terms each score is 0",
  explanations:
    "`explain` has the score, the points of each field, those of an equal title in `exactTitle`, and the factor",
} as const;
