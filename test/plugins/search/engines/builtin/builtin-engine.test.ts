import assert from "node:assert/strict";
import fc from "fast-check";
import type { SearchDocument, SearchQuery } from "../../../../../plugins/search/contract.js";
import { createBuiltinEngine } from "../../../../../plugins/search/engines/builtin/builtin-engine.js";
import { createPoints } from "../../../../../plugins/search/query/score.js";
import {
  sampleDocument,
  streamOf,
  toQuery,
} from "../../../../../plugins/search/testing/engine-suite.js";
import {
  searchEngineContract,
  searchRankingContract,
} from "../../../../../plugins/search/testing/search-engine-contract.js";
import { naiveSearch } from "../../../../support/oracles/naive-search.js";
import {
  arbitraryCorpus,
  arbitraryQuery,
  assertSameAnswer,
} from "../../../../support/content/search-corpora.js";

const engine = () => createBuiltinEngine(createPoints({}));

searchEngineContract("builtin", { create: async () => engine() }, { describe, it });
searchRankingContract("builtin", { create: async () => engine() }, { describe, it });

describe("builtin search engine", () => {
  it("equals the naive scorer for any corpus, weights and queries, and explains its scores", async () => {
    const weights = fc.dictionary(
      fc.constantFrom("title", "body", "taxonomy", "note"),
      fc.constantFrom(0, 0.5, 2, 5),
    );
    const queries = fc.array(arbitraryQuery, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(arbitraryCorpus, queries, weights, async (documents, asked, given) => {
        const weighted = createBuiltinEngine(createPoints(weighOf(given)));
        await weighted.build(streamOf(documents));
        for (const query of asked) {
          assertSameAnswer(await weighted.search(query), naiveSearch(documents, query, given));
          if (query.terms.length === 0) continue;
          const all = toQuery(query.text, { limit: 99, access: ["", "member"] });
          const { hits } = naiveSearch(documents, all, given);
          const scores = new Map(hits.map(({ route, score }) => [route, score]));
          for (const { route } of documents) {
            const explained = await weighted.explain?.(all, route);
            assert.equal(explained?.score || undefined, scores.get(route), route);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("equals, after any updates, a new index of the same documents", async () => {
    const change = fc.record({
      upsert: fc.array(fc.tuple(fc.nat(30), arbitraryCorpus), { maxLength: 4 }),
      remove: fc.array(fc.nat(30), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        arbitraryCorpus,
        fc.array(change, { maxLength: 8 }),
        arbitraryQuery,
        async (documents, changes, query) => {
          const updated = engine();
          const now = new Map(documents.map((document) => [document.route, document]));
          await updated.build(streamOf(documents));
          for (const { upsert, remove } of changes) {
            const changed = upsert.flatMap(([at, corpus]) =>
              corpus.slice(0, 1).map((document) => ({ ...document, route: `/d${at}` })),
            );
            const removed = remove.map((at) => `/d${at}`);
            await updated.update({ upsert: changed, remove: removed });
            for (const route of removed) now.delete(route);
            for (const document of changed) now.set(document.route, document);
          }
          await assertSameAsRebuilt(updated, [...now.values()], query);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("stays correct while many updates are merged in the background", async () => {
    const updated = engine();
    const now = new Map<string, SearchDocument>();
    await updated.build(streamOf([]));
    for (let step = 0; step < 900; step++) {
      const document = sampleDocument({
        route: `/p${(step * 7) % 400}`,
        title: `Title ${step % 13}`,
        body: `word${step % 5} many words`,
      });
      await updated.update({
        upsert: [document],
        remove: [`/p${(step * 11) % 400}x`, `/p${step % 97}`],
      });
      now.delete(`/p${step % 97}`);
      now.set(document.route, document);
      if (step % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await assertSameAsRebuilt(updated, [...now.values()], toQuery("word1 title", { limit: 500 }));
    await updated.save();
    await assertSameAsRebuilt(updated, [...now.values()], toQuery("word1 title", { limit: 500 }));
  });

  it("restores its saved bytes, including tombstones and updates", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCorpus, arbitraryQuery, async (documents, query) => {
        const first = engine();
        await first.build(streamOf(documents));
        await first.update({
          upsert: [sampleDocument({ route: "/d1", title: "Ante", body: "bo" })],
          remove: ["/d2"],
        });
        const second = engine();
        assert.equal(await second.load(await first.save()), true);
        assert.deepEqual(await second.search(query), await first.search(query));
        await second.update({ upsert: [], remove: ["/d1"] });
        assert.equal(
          (await second.search(toQuery("ante"))).hits.some((hit) => hit.route === "/d1"),
          false,
        );
      }),
      { numRuns: 50 },
    );
  });

  it("rejects bytes that are not a snapshot of its version, and keeps its state", async () => {
    const first = engine();
    await first.build(streamOf([sampleDocument({ route: "/a", body: "stay" })]));
    const saved = await first.save();
    for (const bytes of [
      new Uint8Array(0),
      Buffer.from("nonsense"),
      saved.slice(0, 200),
      Buffer.alloc(4000, 0xff),
    ]) {
      assert.equal(await first.load(bytes), false);
    }
    assert.equal((await first.search(toQuery("stay"))).total, 1);
  });

  it("finds words of documents of any length, with any number of fields and values", async () => {
    const words = Array.from({ length: 100_000 }, (_, at) => `word${at}`);
    const fields = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`field${at}`, `extra${at} shared`]),
    );
    const documents = [700, 700, 100_000, 1, 5_000].map((length, at) =>
      sampleDocument({ route: `/p${at}`, body: words.slice(0, length).join(" ") }),
    );
    documents.push(
      sampleDocument({ route: "/fields", fields }),
      sampleDocument({ route: "/values", taxonomy: { tag: words.slice(0, 40_000) } }),
    );
    const built = engine();
    await built.build(streamOf(documents));
    for (const text of ["word699", "word4999 word99999", "word0", "extra39 shared", "word39999"]) {
      const query = toQuery(text);
      assertSameAnswer(await built.search(query), naiveSearch(documents, query));
    }
  });

  it("yields during a build: no slice blocks the event loop for 50 ms", async () => {
    const words = Array.from({ length: 3000 }, (_, at) => `word${at}`);
    const documents = Array.from({ length: 3000 }, (_, at) =>
      sampleDocument({
        route: `/p${at}`,
        title: `Page ${at}`,
        body: words.slice(at % 2000, (at % 2000) + 300).join(" "),
      }),
    );
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await engine().build(streamOf(documents));
    clearInterval(timer);
    assert.ok(turns >= 3, `the event loop turned ${turns} times during the build`);
  });

  it("suggests only queries with results, for any corpus and prefix", async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryCorpus,
        fc.constantFrom("an", "bo", "ca", "ant", "to t"),
        async (documents, prefix) => {
          const built = engine();
          await built.build(streamOf(documents));
          await built.update({ upsert: [], remove: ["/d0", "/d3"] });
          for (const suggestion of await built.suggest(prefix, 10)) {
            assert.ok((await built.search(toQuery(suggestion))).total > 0, suggestion);
          }
        },
      ),
    );
  });
});

function weighOf(weights: Readonly<Record<string, number>>): Record<string, { weight: number }> {
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, { weight }]));
}

async function assertSameAsRebuilt(
  updated: ReturnType<typeof engine>,
  documents: readonly SearchDocument[],
  query: SearchQuery,
): Promise<void> {
  const rebuilt = engine();
  await rebuilt.build(streamOf(documents));
  assertSameAnswer(await updated.search(query), await rebuilt.search(query));
  assert.deepEqual(await updated.suggest("an", 10), await rebuilt.suggest("an", 10));
}
