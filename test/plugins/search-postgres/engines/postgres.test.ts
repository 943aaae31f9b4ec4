import assert from "node:assert/strict";
import fc from "fast-check";
import type { SearchEngine } from "../../../../plugins/search/contract.js";
import { createPostgresEngine } from "../../../../plugins/search-postgres/engines/postgres.js";
import {
  sampleDocument,
  streamOf,
  toQuery,
} from "../../../../plugins/search/testing/engine-suite.js";
import {
  searchEngineContract,
  searchRankingContract,
} from "../../../../plugins/search/testing/search-engine-contract.js";
import { createSearchTools } from "../../../../plugins/search/query/score.js";
import { naiveSearch } from "../../../support/oracles/naive-search.js";
import {
  arbitraryCorpus,
  arbitraryQuery,
  assertSameAnswer,
} from "../../../support/content/search-corpora.js";
import { usePostgres } from "../../../support/services.js";

describe("search in PostgreSQL", function () {
  let url = "";
  const opened: SearchEngine[] = [];
  const open = (schema: string, fields: Record<string, { weight: number }> = {}): SearchEngine => {
    const engine = createPostgresEngine({
      url,
      schema,
      pool: 2,
      timeoutMs: 5000,
      tools: createSearchTools(fields),
    });
    opened.push(engine);
    return engine;
  };
  before(async function () {
    ({ url } = await usePostgres(this));
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close?.();
  });

  const under = { create: async () => open("search_contract") };
  searchEngineContract("postgres", under, { describe, it });
  searchRankingContract("postgres", under, { describe, it });

  it("matches the naive scorer for any corpus, weights and query", async () => {
    const engine = open("search_property", { title: { weight: 5 }, note: { weight: 0.5 } });
    await fc.assert(
      fc.asyncProperty(arbitraryCorpus, arbitraryQuery, async (documents, query) => {
        await engine.build(streamOf(documents));
        assertSameAnswer(
          await engine.search(query),
          naiveSearch(documents, query, { title: 5, note: 0.5 }),
        );
      }),
      { numRuns: 60 },
    );
  });

  it("lets two nodes start and build the same index concurrently", async () => {
    const [left, right] = [open("search_nodes"), open("search_nodes")];
    const documents = Array.from({ length: 120 }, (_, at) =>
      sampleDocument({ route: `/p${at}`, title: `Page ${at}`, body: "shared words" }),
    );
    await Promise.all([left.build(streamOf(documents)), right.build(streamOf(documents))]);
    assert.equal((await left.search(toQuery("shared"))).total, 120);
    await left.update?.({
      upsert: [sampleDocument({ route: "/p1", body: "single" })],
      remove: ["/p2"],
    });
    assert.equal((await right.search(toQuery("shared"))).total, 118);
  });

  it("keeps the old index when a build fails half way", async () => {
    const engine = open("search_failing");
    await engine.build(streamOf([sampleDocument({ route: "/old", body: "remains" })]));
    async function* failing(): AsyncGenerator<ReturnType<typeof sampleDocument>> {
      yield sampleDocument({ route: "/new", body: "remains" });
      throw new Error("the disk is gone");
    }
    await assert.rejects(engine.build(failing()), /disk is gone/);
    assert.deepEqual(
      (await engine.search(toQuery("remains"))).hits.map(({ route }) => route),
      ["/old"],
    );
  });

  it("tolerates a typo in suggestions when nothing has the prefix", async () => {
    const engine = open("search_typos");
    await engine.build(
      streamOf([
        sampleDocument({ route: "/a", body: "configuration" }),
        sampleDocument({ route: "/b", body: "configurable", access: "member" }),
      ]),
    );
    assert.deepEqual(await engine.suggest("confguration", 10), ["configuration"]);
  });

  it("stores and finds text with NUL, lone surrogates and quotes", async () => {
    const engine = open("search_hostile");
    const nasty = `nul\0 sur\ud83d 'quote" $1 \\ {} %s;drop`;
    await engine.build(
      streamOf([
        sampleDocument({
          route: "/n",
          title: nasty,
          body: nasty,
          taxonomy: { [nasty]: [nasty] },
          facets: { colour: [nasty] },
        }),
      ]),
    );
    for (const text of ["nul", nasty, "'; drop schema search_hostile cascade --"])
      await engine.search(toQuery(text, { facets: ["colour", "__proto__"] }));
    assert.equal((await engine.search(toQuery("nul"))).total, 1);
    assert.equal(
      (
        await engine.search(
          toQuery("nul", {
            filters: { taxonomy: { [nasty]: [nasty] }, facets: { colour: [nasty] } },
          }),
        )
      ).total,
      1,
    );
  });

  it("fails with the reason when the server cannot be reached", async () => {
    const engine = createPostgresEngine({
      url: "postgres://unknown@127.0.0.1:9/none",
      schema: "x",
      pool: 1,
      timeoutMs: 500,
      tools: createSearchTools({}),
    });
    await assert.rejects(engine.build(streamOf([])));
  });
});
