import assert from "node:assert/strict";
import { globalRunner, type TestRunner } from "#testing";
import type { SearchEngine, SearchQuery } from "../contract.js";
import { filtered, rankings, tied } from "./rankings.js";
import { sampleDocument, samplePages } from "./sample-documents.js";
import { streamOf, toQuery } from "./sample-queries.js";

/** How the suite gets an engine; `dispose` is called after each test. */
export interface EngineUnderTest {
  create(): Promise<SearchEngine>;
  dispose?(): Promise<void>;
}

type Check = (engine: SearchEngine) => Promise<void>;

/** What every search engine must do; call it in a test file with the engine and the test runner. */
export function searchEngineContract(
  name: string,
  under: EngineUnderTest,
  runner: Pick<TestRunner, "describe" | "it"> = globalRunner(),
): void {
  const check = (title: string, body: Check, documents = samplePages): unknown =>
    runner.it(title, async () => {
      const engine = await under.create();
      try {
        await engine.build(streamOf(documents));
        await body(engine);
      } finally {
        await engine.close?.();
        await under.dispose?.();
      }
    });
  runner.describe(`search engine ${name}`, () => {
    for (const [title, query, expected] of rankings) {
      check(title, async (engine) => assert.deepEqual(await ranking(engine, query), expected));
    }
    for (const [title, body] of behaviours) check(title, body);
    check(
      "answers nothing from an empty index",
      async (engine) => {
        assert.deepEqual(await ranking(engine, toQuery("apple")), []);
        assert.deepEqual([...(await engine.suggest("ap", 10))], []);
      },
      [],
    );
  });
}

async function ranking(engine: SearchEngine, query: SearchQuery): Promise<[string, number][]> {
  return (await engine.search(query)).hits.map((hit) => [hit.route, hit.score]);
}

async function routes(engine: SearchEngine, query: SearchQuery): Promise<string[]> {
  return (await ranking(engine, query)).map(([route]) => route);
}

const behaviours: readonly (readonly [title: string, body: Check])[] = [
  [
    "counts all matches, not only the slice",
    async (engine) => {
      assert.equal((await engine.search(toQuery("tied", { limit: 1 }))).total, 4);
    },
  ],
  [
    "hides documents whose access key the viewer lacks, from hits, totals, counts and suggestions",
    async (engine) => {
      const query = toQuery("secret", { facets: ["colour"] });
      assert.equal((await engine.search(query)).total, 0);
      assert.deepEqual(await countsOf(engine, query), { colour: {} });
      assert.deepEqual([...(await engine.suggest("secr", 10, { access: [""], lang: null }))], []);
      assert.deepEqual(await routes(engine, { ...query, access: ["", "member"] }), ["/members"]);
      assert.deepEqual(
        [...(await engine.suggest("secr", 10, { access: ["", "member"], lang: null }))],
        ["Secret plans", "secret"],
      );
    },
  ],
  [
    "suggests in a language what is of it, or of none",
    async (engine) => {
      const suggested = async (prefix: string): Promise<string[]> => [
        ...(await engine.suggest(prefix, 10, { access: [""], lang: "de" })),
      ];
      assert.deepEqual(await suggested("anyw"), ["Anywhere"]);
      assert.deepEqual(await suggested("orch"), []);
    },
  ],
  [
    "leaves a facet's own selection out of its counts",
    async (engine) => {
      const query = toQuery("tied", {
        ...filtered({ facets: { colour: ["blue"] } }),
        facets: ["colour", "size"],
      });
      assert.deepEqual(await countsOf(engine, query), {
        colour: { red: 2, blue: 1 },
        size: { small: 1 },
      });
    },
  ],
  [
    "suggests titles first, then terms by document frequency",
    async (engine) => {
      assert.deepEqual([...(await engine.suggest("tie", 3))], ["Tied A", "Tied B", "Tied new"]);
      assert.deepEqual([...(await engine.suggest("appl", 10))], ["Apple", "Apple pie", "apples"]);
      assert.deepEqual([...(await engine.suggest("gard", 10))], ["garden", "gardener"]);
    },
  ],
  [
    "replaces everything when it is built again",
    async (engine) => {
      await engine.build(streamOf([sampleDocument({ route: "/only", body: "tied" })]));
      assert.deepEqual(await routes(engine, toQuery("tied")), ["/only"]);
    },
  ],
  [
    "applies updates: adds, replaces and removes",
    async (engine) => {
      if (!engine.update) return;
      await engine.update({
        upsert: [
          sampleDocument({ route: "/tie/a", body: "untied" }),
          sampleDocument({ route: "/tie/c", body: "tied tied" }),
        ],
        remove: ["/tie/new", "/never"],
      });
      assert.deepEqual(await ranking(engine, toQuery("tied")), [
        ...tied(["b", "undated"]),
        ["/tie/c", 2],
      ]);
      assert.deepEqual(await routes(engine, toQuery("untied")), ["/tie/a"]);
    },
  ],
  [
    "explains a score by term and field",
    async (engine) => {
      if (!engine.explain) return;
      const query = toQuery("apple pie");
      const explanation = await engine.explain(query, "/apple-pie");
      assert.equal(explanation?.score, 30);
      assert.equal(explanation?.factor, 1.5);
      assert.equal(explanation?.exactTitle, 5);
      assert.equal(
        explanation?.terms[0]?.matches.find((match) => match.field === "title")?.points,
        3,
      );
      assert.equal(await engine.explain(query, "/hello"), null);
    },
  ],
];

async function countsOf(engine: SearchEngine, query: SearchQuery): Promise<unknown> {
  const { facets } = await engine.search(query);
  return facets ?? (await engine.facetCounts?.(query)) ?? {};
}
