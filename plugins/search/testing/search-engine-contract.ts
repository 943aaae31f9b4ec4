import assert from "node:assert/strict";
import { stating } from "#testing";
import type { SearchEngine, SearchHit, SearchQuery } from "../contract.js";
import { compareRecency } from "../query/select.js";
import { tokenize } from "../query/terms.js";
import {
  hitsOf,
  routesOf,
  runEngineSuite,
  type EngineCheck,
  type EngineUnderTest,
  type SuiteRunner,
  ENGINE_RULES,
  sampleDocument,
  samplePages,
  streamOf,
  toQuery,
  RANKING_RULES,
} from "./engine-suite.js";

/** Filters of a query; empty by default. */
const filtered = (filters: Partial<SearchQuery["filters"]>): Partial<SearchQuery> => ({
  filters: { taxonomy: {}, facets: {}, ...filters },
});

type Row = readonly [
  rule: keyof typeof ENGINE_RULES,
  title: string,
  query: SearchQuery,
  routes: readonly string[],
];

/**
 * Queries over the sample pages, with the pages that every engine must find, whatever their scores.
 */
const MATCHES: readonly Row[] = [
  ["fields", "finds a word in every field", toQuery("apple"), ["/apple", "/apple-pie", "/orchard"]],
  ["fields", "finds a word of a taxonomy", toQuery("cake"), ["/apple-pie"]],
  ["fields", "finds a word of the further fields", toQuery("crust"), ["/apple-pie"]],
  [
    "matches",
    "finds pages with any of the words",
    toQuery("apple brulee"),
    ["/apple", "/apple-pie", "/creme", "/orchard"],
  ],
  ["matches", "matches indexed terms a query term is a prefix of", toQuery("orch"), ["/orchard"]],
  ["matches", "does not match inside words", toQuery("rchard"), []],
  ["folding", "folds case and accents", toQuery("CREME"), ["/creme"]],
  ["folding", "finds words of any script", toQuery("Привет"), ["/hello"]],
  ["folding", "finds digits", toQuery("2024"), ["/hello"]],
  ["filters", "filters by template", toQuery("tied", filtered({ template: "post" })), tied("new")],
  [
    "filters",
    "filters by date range, leaving undated pages out",
    toQuery("tied", filtered({ from: "2024-01-01", to: "2024-12-31" })),
    tied("a", "b"),
  ],
  [
    "filters",
    "filters by taxonomy, one of the values",
    toQuery("tied", filtered({ taxonomy: { tag: ["red", "none"] } })),
    tied("b", "new"),
  ],
  [
    "filters",
    "filters by facet",
    toQuery("tied", filtered({ facets: { colour: ["blue"] } })),
    tied("a"),
  ],
  [
    "routes",
    "leaves what phrases and exclusions leave",
    toQuery("tied", { routes: { only: ["/tie/a", "/tie/b", "/apple"], except: ["/tie/b"] } }),
    tied("a"),
  ],
  [
    "routes",
    "leaves all but what is excluded",
    toQuery("apple", { routes: { only: null, except: ["/orchard"] } }),
    ["/apple", "/apple-pie"],
  ],
  ["hitLanguages", "filters by language", toQuery("tied", { lang: "de" }), []],
  [
    "hitLanguages",
    "finds in each language what has none",
    toQuery("anywhere", { lang: "de" }),
    ["/anywhere"],
  ],
  [
    "plain",
    "knows `__proto__` and `constructor` as plain names",
    toQuery("tied", filtered({ taxonomy: { constructor: ["x"], ["__proto__"]: ["x"] } })),
    [],
  ],
  [
    "plain",
    "takes regular expressions as text",
    toQuery("(a+)+$ [ \\ .* tied"),
    tied("a", "b", "new", "undated"),
  ],
];

/** Queries whose order does not depend on scores. */
const BY_DATE: readonly Row[] = [
  [
    "dates",
    "sorts by date, undated last, then by route",
    toQuery("tied hello", { sort: "date" }),
    [...tied("new", "a", "b"), "/hello", "/tie/undated"],
  ],
  [
    "dates",
    "lists what passes the filters by date when there are no terms",
    toQuery("", filtered({ taxonomy: { tag: ["red"] } })),
    tied("new", "b"),
  ],
];

function tied(...names: readonly string[]): string[] {
  return names.map((name) => `/tie/${name}`);
}

/**
 * The conformance suite of all search engines, independent of scores: what an engine finds,
 * filters, counts, hides and suggests, and that hits are ordered by score. Call it in a test file
 * with the engine and the test runner.
 */
export function searchEngineContract(
  name: string,
  under: EngineUnderTest,
  runner?: SuiteRunner,
): void {
  runEngineSuite(`search engine ${name}`, checks, under, runner);
}

/** Best score first; newer pages first among equal scores, then routes. */
function assertRanked(hits: readonly SearchHit[]): void {
  const rows = hits.map(({ route, score }) => {
    assert.ok(Number.isFinite(score) && score > 0, `score ${score} of ${route}`);
    const date = samplePages.find((page) => page.route === route)?.date ?? null;
    return { route, score, date };
  });
  assert.deepEqual(
    rows,
    rows.toSorted((a, b) => b.score - a.score || compareRecency(a, b)),
  );
}

const behaviours: readonly EngineCheck[] = [
  {
    title: "lists its words by beginning and length, if it lists any",
    rule: ENGINE_RULES.words,
    run: async (engine) => {
      if (engine.words === undefined) return;
      const all = samplePages.flatMap(({ title, body }) => tokenize(`${title} ${body}`));
      const [word = ""] = all;
      const { length } = word;
      const range = { prefix: word.slice(0, 1), shortest: length, longest: length };
      const words = await engine.words(range);
      assert.ok(words.includes(word));
      assert.ok(words.every((one) => one.startsWith(range.prefix) && one.length === length));
      assert.equal(new Set(words).size, words.length);
      assert.deepEqual([...(await engine.words({ ...range, prefix: "\u{10fffd}" }))], []);
    },
  },
  {
    title: "slices by offset and limit, and counts all matches",
    rule: ENGINE_RULES.slices,
    run: async (engine) => {
      const all = await routesOf(engine, toQuery("tied"));
      const { hits, total } = await engine.search(toQuery("tied", { offset: 1, limit: 2 }));
      const sliced = hits.map(({ route }) => route);
      assert.deepEqual([sliced, total], [all.slice(1, 3), 4]);
    },
  },
  {
    title:
      "hides documents whose access key the viewer lacks, from hits, totals, counts and suggestions",
    rule: ENGINE_RULES.access,
    run: async (engine) => {
      const query = toQuery("secret", { facets: ["colour"] });
      assert.equal((await engine.search(query)).total, 0);
      assert.deepEqual(await countFacets(engine, query), { colour: {} });
      assert.deepEqual([...(await engine.suggest("secr", 10, { access: [""], lang: null }))], []);
      assert.deepEqual(await routesOf(engine, { ...query, access: ["", "member"] }), ["/members"]);
      assert.deepEqual(
        [...(await engine.suggest("secr", 10, { access: ["", "member"], lang: null }))],
        ["Secret plans", "secret"],
      );
    },
  },
  {
    title: "suggests in a language what is of it, or of none",
    rule: ENGINE_RULES.languages,
    run: async (engine) => {
      const suggested = async (prefix: string): Promise<string[]> => [
        ...(await engine.suggest(prefix, 10, { access: [""], lang: "de" })),
      ];
      assert.deepEqual(await suggested("anyw"), ["Anywhere"]);
      assert.deepEqual(await suggested("orch"), []);
    },
  },
  {
    title: "leaves a facet's own selection out of its counts",
    rule: ENGINE_RULES.counts,
    run: async (engine) => {
      const query = toQuery("tied", {
        ...filtered({ facets: { colour: ["blue"] } }),
        facets: ["colour", "size"],
      });
      assert.deepEqual(await countFacets(engine, query), {
        colour: { red: 2, blue: 1 },
        size: { small: 1 },
      });
    },
  },
  {
    title: "suggests titles first, then terms by document frequency",
    rule: ENGINE_RULES.suggestions,
    run: async (engine) => {
      assert.deepEqual([...(await engine.suggest("tie", 3))], ["Tied A", "Tied B", "Tied new"]);
      assert.deepEqual([...(await engine.suggest("appl", 10))], ["Apple", "Apple pie", "apples"]);
      assert.deepEqual([...(await engine.suggest("gard", 10))], ["garden", "gardener"]);
    },
  },
  {
    title: "replaces everything when it is built again",
    rule: ENGINE_RULES.builds,
    run: async (engine) => {
      await engine.build(streamOf([sampleDocument({ route: "/only", body: "tied" })]));
      assert.deepEqual(await routesOf(engine, toQuery("tied")), ["/only"]);
    },
  },
  {
    title: "applies updates: adds, replaces and removes",
    rule: ENGINE_RULES.updates,
    run: async (engine) => {
      if (!engine.update) return;
      await engine.update({
        upsert: [
          sampleDocument({ route: "/tie/a", body: "untied" }),
          sampleDocument({ route: "/tie/c", body: "tied tied" }),
        ],
        remove: ["/tie/new", "/never"],
      });
      const routes = await routesOf(engine, toQuery("tied"));
      assert.deepEqual(routes.toSorted(), ["/tie/b", "/tie/c", "/tie/undated"]);
      assert.deepEqual(await routesOf(engine, toQuery("untied")), ["/tie/a"]);
    },
  },
  {
    title: "explains the score of a hit, and nothing of a page that does not match",
    rule: ENGINE_RULES.explanations,
    run: async (engine) => {
      if (!engine.explain) return;
      const query = toQuery("apple pie");
      const [best] = await hitsOf(engine, query);
      const explanation = await engine.explain(query, best?.route ?? "");
      assert.ok(Math.abs((explanation?.score ?? 0) - (best?.score ?? Number.NaN)) < 0.001);
      assert.ok(explanation?.terms.some(({ matches }) => matches.length > 0));
      assert.equal(await engine.explain(query, "/hello"), null);
    },
  },
  {
    title: "answers nothing from an empty index",
    rule: ENGINE_RULES.empty,
    documents: [],
    run: async (engine) => {
      assert.deepEqual(await routesOf(engine, toQuery("apple")), []);
      assert.deepEqual([...(await engine.suggest("ap", 10))], []);
    },
  },
];

const checks: readonly EngineCheck[] = [
  ...MATCHES.map(([rule, title, query, routes]) => ({
    title,
    rule: ENGINE_RULES[rule],
    run: async (engine: SearchEngine) => {
      const hits = await hitsOf(engine, query);
      assert.deepEqual(hits.map(({ route }) => route).toSorted(), routes);
      await stating(ENGINE_RULES.ranks, () => assertRanked(hits));
    },
  })),
  ...BY_DATE.map(([rule, title, query, routes]) => ({
    title,
    rule: ENGINE_RULES[rule],
    run: async (engine: SearchEngine) => assert.deepEqual(await routesOf(engine, query), routes),
  })),
  ...behaviours,
];

async function countFacets(engine: SearchEngine, query: SearchQuery): Promise<unknown> {
  const { facets } = await engine.search(query);
  return facets ?? (await engine.facetCounts?.(query)) ?? {};
}

/**
 * Checks the exact default score, for engines that rank with `tools.score`. An engine with its own
 * score only uses `searchEngineContract`.
 */
export function searchRankingContract(
  name: string,
  under: EngineUnderTest,
  runner?: SuiteRunner,
): void {
  runEngineSuite(`ranking of search engine ${name}`, rankingChecks, under, runner);
}

const RANKINGS: readonly (readonly [
  rule: keyof typeof RANKING_RULES,
  title: string,
  query: SearchQuery,
  expected: [string, number][],
])[] = [
  [
    "sum",
    "scores title 3, taxonomy 2, body 1 each up to 5, further fields 1, an exact title 5",
    toQuery("apple"),
    [
      ["/apple-pie", 11],
      ["/apple", 9],
      ["/orchard", 3],
    ],
  ],
  [
    "factor",
    "multiplies by 1.5 when several terms all match",
    toQuery("apple pie"),
    [
      ["/apple-pie", 30],
      ["/apple", 4],
      ["/orchard", 3],
    ],
  ],
  ["prefixes", "scores a prefix as the word", toQuery("orch"), [["/orchard", 3]]],
  ["folding", "scores accents as plain letters", toQuery("CREME"), [["/creme", 3]]],
  ["folding", "scores a word of any script", toQuery("Привет"), [["/hello", 1]]],
  ["exactTitles", "adds the exact title in any language", toQuery("anywhere"), [["/anywhere", 8]]],
  [
    "lengths",
    "gives equal scores to equal matches, whatever the length of the page",
    toQuery("tied"),
    ["new", "a", "b", "undated"].map((page) => [`/tie/${page}`, 3]),
  ],
  [
    "empty",
    "gives no points when there are no terms",
    toQuery("", { filters: { taxonomy: { tag: ["red"] }, facets: {} } }),
    [
      ["/tie/new", 0],
      ["/tie/b", 0],
    ],
  ],
];

async function ranking(engine: SearchEngine, query: SearchQuery): Promise<[string, number][]> {
  return (await hitsOf(engine, query)).map(({ route, score }) => [route, score]);
}

const rankingChecks: readonly EngineCheck[] = [
  ...RANKINGS.map(([rule, title, query, expected]) => ({
    title,
    rule: RANKING_RULES[rule],
    run: async (engine: SearchEngine) => assert.deepEqual(await ranking(engine, query), expected),
  })),
  {
    title: "explains points, exact title and factor",
    rule: RANKING_RULES.explanations,
    run: async (engine) => {
      if (!engine.explain) return;
      const explanation = await engine.explain(toQuery("apple pie"), "/apple-pie");
      assert.equal(explanation?.score, 30);
      assert.equal(explanation?.factor, 1.5);
      assert.equal(explanation?.exactTitle, 5);
      const title = explanation?.terms[0]?.matches.find(({ field }) => field === "title");
      assert.equal(title?.points, 3);
    },
  },
];
