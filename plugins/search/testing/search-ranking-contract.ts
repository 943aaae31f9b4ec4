import assert from "node:assert/strict";
import type { SearchEngine, SearchQuery } from "../contract.js";
import { RANKING_RULES } from "./engine-rules.js";
import {
  hitsOf,
  runEngineSuite,
  type EngineCheck,
  type EngineUnderTest,
  type SuiteRunner,
} from "./engine-suite.js";
import { toQuery } from "./sample-documents.js";

/**
 * Checks the exact default score, for engines that rank with `tools.score`. An engine with its own
 * score only uses `searchEngineContract`.
 */
export function searchRankingContract(
  name: string,
  under: EngineUnderTest,
  runner?: SuiteRunner,
): void {
  runEngineSuite(`ranking of search engine ${name}`, checks, under, runner);
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

const checks: readonly EngineCheck[] = [
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
