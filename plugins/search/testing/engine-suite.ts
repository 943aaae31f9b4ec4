import { globalRunner, stating, type TestRunner } from "#testing";
import type { SearchDocument, SearchEngine, SearchHit, SearchQuery } from "../contract.js";
import { queryTerms } from "../query/terms.js";

/** Creates the engines of a suite; `dispose` is called after each test. */
export interface EngineUnderTest {
  create(): Promise<SearchEngine>;
  dispose?(): Promise<void>;
}
/** The functions of a test runner that the suites call. */
export type SuiteRunner = Pick<TestRunner, "describe" | "it">;
/** A sentence of the docs. */
type SuiteRule =
  | (typeof ENGINE_RULES)[keyof typeof ENGINE_RULES]
  | (typeof RANKING_RULES)[keyof typeof RANKING_RULES];
/** A test of an engine that has built `documents`; default: the sample pages. */
export interface EngineCheck {
  title: string;
  /** The rule in one sentence, as the docs have it, for its author's eyes when the check fails. */
  rule: SuiteRule;
  run(engine: SearchEngine): Promise<void>;
  documents?: readonly SearchDocument[];
}

/** Runs checks below one title, each with a new engine. */
export function runEngineSuite(
  title: string,
  checks: readonly EngineCheck[],
  under: EngineUnderTest,
  runner: SuiteRunner = globalRunner(),
): void {
  runner.describe(title, () => {
    for (const check of checks) {
      runner.it(check.title, () => stating(check.rule, () => runCheck(check, under)));
    }
  });
}

async function runCheck(check: EngineCheck, under: EngineUnderTest): Promise<void> {
  const engine = await under.create();
  try {
    await engine.build(streamOf(check.documents ?? samplePages));
    await check.run(engine);
  } finally {
    await engine.close?.();
    await under.dispose?.();
  }
}

/** The hits of a query. */
export async function hitsOf(
  engine: SearchEngine,
  query: SearchQuery,
): Promise<readonly SearchHit[]> {
  return (await engine.search(query)).hits;
}

/** The routes of the hits, in order. */
export async function routesOf(engine: SearchEngine, query: SearchQuery): Promise<string[]> {
  return (await hitsOf(engine, query)).map(({ route }) => route);
}

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

/** The fields of a document that a test sets: at least its route. */
type SampleFields = Partial<SearchDocument> & Pick<SearchDocument, "route">;

/** A document; fills in what a test omits. */
export function sampleDocument(rest: SampleFields): SearchDocument {
  return {
    title: "Untitled",
    body: "",
    fields: {},
    template: "default",
    date: null,
    taxonomy: {},
    lang: "en",
    facets: {},
    access: "",
    ...rest,
  };
}

/** The pages of the conformance suite. */
export const samplePages: readonly SearchDocument[] = [
  sampleDocument({
    route: "/apple-pie",
    title: "Apple pie",
    body: "apple apple apple apple apple apple apple and a pie",
    taxonomy: { tag: ["apple", "cake"] },
    fields: { description: "apples in a crust" },
  }),
  sampleDocument({ route: "/apple", title: "Apple", body: "An apple." }),
  sampleDocument({ route: "/orchard", title: "Orchard", body: "apple trees, apples and an APPLE" }),
  sampleDocument({ route: "/creme", title: "Crème brûlée" }),
  sampleDocument({ route: "/anywhere", title: "Anywhere", lang: "" }),
  sampleDocument({ route: "/hello", title: "Hello", body: "привет мир 2024", date: "2020-02-02" }),
  sampleDocument({
    route: "/tie/b",
    title: "Tied B",
    date: "2024-05-05",
    taxonomy: { tag: ["red"] },
    facets: { colour: ["red"] },
  }),
  sampleDocument({ route: "/tie/undated", title: "Tied undated" }),
  sampleDocument({
    route: "/tie/a",
    title: "Tied A",
    date: "2024-05-05",
    facets: { colour: ["blue"], size: ["small"] },
  }),
  sampleDocument({
    route: "/tie/new",
    title: "Tied new",
    date: "2025-01-01",
    template: "post",
    taxonomy: { tag: ["red", "deep red"] },
    facets: { colour: ["red"] },
  }),
  sampleDocument({ route: "/roses", title: "Roses", body: "garden gardener" }),
  sampleDocument({ route: "/lilies", title: "Lilies", body: "A garden." }),
  sampleDocument({
    route: "/members",
    title: "Secret plans",
    body: "secret",
    access: "member",
    facets: { colour: ["green"] },
  }),
];

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
