import assert from "node:assert/strict";
import { Tallies } from "../../../../plugins/search/analytics.js";

describe("tallies of searches", () => {
  it("count each query, with its mean number of results, most frequent first", () => {
    const tallies = new Tallies();
    for (const [query, results] of [
      ["b", 1],
      ["a", 0],
      ["b", 4],
      ["c", 0],
      ["c", 0],
      ["__proto__", 0],
    ] as const)
      tallies.add(query, results);
    assert.deepEqual(tallies.summary(), {
      totalSearches: 6,
      topQueries: [
        { query: "b", count: 2, avgResults: 3 },
        { query: "c", count: 2, avgResults: 0 },
        { query: "__proto__", count: 1, avgResults: 0 },
        { query: "a", count: 1, avgResults: 0 },
      ],
      zeroResultQueries: [
        { query: "c", count: 2 },
        { query: "__proto__", count: 1 },
        { query: "a", count: 1 },
      ],
    });
  });

  it("list twenty, and count the others in the total", () => {
    const tallies = new Tallies();
    for (let at = 0; at < 30; at++) tallies.add(`q${at}`, 0);
    const { totalSearches, topQueries, zeroResultQueries } = tallies.summary();
    assert.deepEqual([totalSearches, topQueries.length, zeroResultQueries.length], [30, 20, 20]);
  });
});
