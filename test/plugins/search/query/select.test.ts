import assert from "node:assert/strict";
import { orderedCounts, selectCandidates } from "../../../../plugins/search/query/select.js";
import { sampleDocument, toQuery } from "../../../../plugins/search/testing/engine-suite.js";

describe("the selection among candidates", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    it(`does not find an inherited ${name}`, () => {
      const filters = { taxonomy: Object.fromEntries([[name, ["x"]]]), facets: {} };
      const candidates = [{ document: sampleDocument({ route: "/a" }), score: 1 }];
      assert.equal(selectCandidates(candidates, toQuery("", { filters, facets: [name] })).total, 0);
    });
  }
});

describe("counts of facets", () => {
  it("are ordered by number, then by text", () => {
    const counts = orderedCounts([
      ["b", 1],
      ["a", 1],
      ["__proto__", 1],
      ["c", 2],
    ]);
    assert.deepEqual(Object.entries(counts), [
      ["c", 2],
      ["__proto__", 1],
      ["a", 1],
      ["b", 1],
    ]);
  });
});
