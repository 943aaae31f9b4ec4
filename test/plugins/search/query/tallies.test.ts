import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Tallies } from "../../../../plugins/search/query/tallies.js";
import { useFolder } from "../../../support/folder.js";

describe("tallies of searches", () => {
  const folder = useFolder();

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

  it("skip invalid lines, and stop at the given byte", async () => {
    const event = JSON.stringify({ q: 'a\n{"q":"x","n":1}', n: 1 });
    const lines = [
      event,
      "",
      "{",
      "null",
      `{"q":1,"n":1}`,
      `{"q":"a"}`,
      `{"q":"a","n":null}`,
      "\0",
      event,
    ];
    const text = lines.join("\n");
    const file = join(folder.path, "log");
    await writeFile(file, `${text}\n${event}\n`);
    const tallies = new Tallies();
    await tallies.addFile(file, Buffer.byteLength(text));
    assert.deepEqual(tallies.summary().topQueries, [
      { query: 'a\n{"q":"x","n":1}', count: 2, avgResults: 1 },
    ]);
    await tallies.addFile(join(folder.path, "none"), 0);
  });

  it("join events that span two chunks of the file", async () => {
    const file = join(folder.path, "log");
    const event = `${JSON.stringify({ q: "é".repeat(100), n: 2 })}\n`;
    await writeFile(file, event.repeat(3_000));
    const tallies = new Tallies();
    await tallies.addFile(file, Buffer.byteLength(event) * 3_000);
    assert.deepEqual(tallies.summary().topQueries, [
      { query: "é".repeat(100), count: 3_000, avgResults: 2 },
    ]);
  });
});
