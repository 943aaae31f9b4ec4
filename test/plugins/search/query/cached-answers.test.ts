import assert from "node:assert/strict";
import { CachedAnswers } from "../../../../plugins/search/service.js";
import type { SearchAnswer, SearchQuery } from "../../../../plugins/search/contract.js";
import { toQuery } from "../../../../plugins/search/testing/engine-suite.js";
import { deferred } from "../../../support/deferred.js";
import { testCaches } from "../../../support/test-caches.js";

const answer = (total: number): SearchAnswer => ({ total, items: [], facets: {}, hasMore: false });

describe("CachedAnswers", () => {
  /** Sends a query twice; returns the number of engine calls. */
  async function asked(
    first: SearchQuery,
    second: SearchQuery,
    versions = [1, 1],
  ): Promise<number> {
    const answers = new CachedAnswers(testCaches());
    let count = 0;
    const ask = async () => answer(++count);
    await answers.get(first, versions[0] ?? 0, ask);
    await answers.get(second, versions[1] ?? 0, ask);
    return count;
  }
  const query = toQuery("pear");

  it("queries the engine once per version of the index", async () => {
    assert.equal(await asked(query, { ...query }), 1);
    assert.equal(await asked(query, query, [1, 2]), 2);
  });

  for (const rest of [
    { access: ["", "member"] },
    { lang: "de" },
    { offset: 1 },
    { sort: "date" as const },
    { facets: ["x"] },
  ]) {
    it(`does not reuse a result for a query with ${JSON.stringify(rest)}`, async () => {
      assert.equal(await asked(query, { ...query, ...rest }), 2);
    });
  }

  for (const rest of [{ limit: 101 }, { offset: 101 }]) {
    it(`does not cache ${JSON.stringify(rest)}`, async () => {
      const far = { ...query, ...rest };
      assert.equal(await asked(far, far), 2);
    });
  }

  it("does not cache a result that was pending while the index changed", async () => {
    const answers = new CachedAnswers(testCaches());
    const slow = deferred<SearchAnswer>();
    const old = answers.get(query, 1, () => slow.promise);
    await answers.get(toQuery("apple"), 2, async () => answer(0));
    slow.resolve(answer(1));
    assert.equal((await old).total, 1);
    assert.equal((await answers.get(query, 2, async () => answer(2))).total, 2);
  });

  it("drops the results of the former index", async () => {
    const caches = testCaches();
    await new CachedAnswers(caches).get(query, 1, async () => answer(1));
    assert.equal(caches.stats()["search-answers"]?.entries, 1);
    caches.invalidate(["search"]);
    assert.equal(caches.stats()["search-answers"]?.entries, 0);
  });

  it("does not cache errors", async () => {
    const answers = new CachedAnswers(testCaches());
    await assert.rejects(answers.get(query, 1, () => Promise.reject(new Error("down"))));
    assert.equal((await answers.get(query, 1, async () => answer(3))).total, 3);
  });
});
