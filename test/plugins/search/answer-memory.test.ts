import assert from "node:assert/strict";
import { AnswerMemory } from "../../../plugins/search/answer-memory.js";
import type { SearchAnswer, SearchQuery } from "../../../plugins/search/contract.js";
import { toQuery } from "../../../plugins/search/testing/sample-queries.js";
import { deferred } from "../../support/deferred.js";

const answer = (total: number): SearchAnswer => ({ total, items: [], facets: {}, hasMore: false });

describe("the memory of answers", () => {
  /** Asks twice; how often the engine was asked. */
  async function asked(
    first: SearchQuery,
    second: SearchQuery,
    versions = [1, 1],
  ): Promise<number> {
    const memory = new AnswerMemory();
    let count = 0;
    const ask = async () => answer(++count);
    await memory.answer(first, versions[0] ?? 0, ask);
    await memory.answer(second, versions[1] ?? 0, ask);
    return count;
  }
  const query = toQuery("pear");

  it("answers the same query once per version of the index", async () => {
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
    it(`does not answer a query with ${JSON.stringify(rest)} by another's answer`, async () => {
      assert.equal(await asked(query, { ...query, ...rest }), 2);
    });
  }

  for (const rest of [{ limit: 101 }, { offset: 101 }]) {
    it(`keeps nothing of ${JSON.stringify(rest)}`, async () => {
      const far = { ...query, ...rest };
      assert.equal(await asked(far, far), 2);
    });
  }

  it("keeps no answer that was under way while the index changed", async () => {
    const memory = new AnswerMemory();
    const slow = deferred<SearchAnswer>();
    const old = memory.answer(query, 1, () => slow.promise);
    await memory.answer(toQuery("apple"), 2, async () => answer(0));
    slow.resolve(answer(1));
    assert.equal((await old).total, 1);
    assert.equal((await memory.answer(query, 2, async () => answer(2))).total, 2);
  });

  it("keeps no failure", async () => {
    const memory = new AnswerMemory();
    await assert.rejects(memory.answer(query, 1, () => Promise.reject(new Error("down"))));
    assert.equal((await memory.answer(query, 1, async () => answer(3))).total, 3);
  });
});
