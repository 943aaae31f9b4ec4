import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { FileStore } from "../../../plugins/records/engines/file-store.js";
import { Analytics } from "../../../plugins/search/analytics.js";

describe("search analytics", () => {
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "site-analytics-"))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = (maxMegabytes = 50, below = "log"): Analytics => {
    const store = new FileStore(join(folder, below));
    return new Analytics({ records: store, maxMegabytes, log: silentLog, now: () => 7 });
  };
  const event = (q: string, n: number) => ({ q, n, ms: 1, lang: "en" });

  it("appends time, query, results, duration and language, and nothing else", async () => {
    const analytics = open();
    analytics.record(event("apple", 3));
    await analytics.settled();
    assert.equal(
      await readFile(join(folder, "log/search-analytics.jsonl"), "utf8"),
      '{"t":7,"q":"apple","n":3,"ms":1,"lang":"en"}\n',
    );
  });

  it("lists the most frequent queries and those without results, at most twenty each", async () => {
    const analytics = open();
    for (let at = 0; at < 30; at++)
      analytics.record(event(`query ${at % 25}`, at % 25 === 0 ? 0 : 10 + at));
    const { totalSearches, topQueries, zeroResultQueries } = await analytics.summary();
    assert.equal(totalSearches, 30);
    assert.equal(topQueries.length, 20);
    assert.deepEqual(topQueries[1], { query: "query 1", count: 2, avgResults: 24 });
    assert.deepEqual(zeroResultQueries, [{ query: "query 0", count: 2 }]);
  });

  it("updates a summary without reading the log again", async () => {
    const analytics = open();
    await analytics.summary();
    analytics.record(event("later", 0));
    assert.equal((await analytics.summary()).totalSearches, 1);
  });

  it("skips invalid lines, and treats a missing log as empty", async () => {
    assert.deepEqual(await open().summary(), {
      totalSearches: 0,
      topQueries: [],
      zeroResultQueries: [],
    });
    await mkdir(join(folder, "log"));
    await writeFile(
      join(folder, "log/search-analytics.jsonl"),
      '{"q":"ok","n":1}\n{broken\nnull\n{"q":1,"n":2}\n{"n":3}\n{"q":"cut","n":1}',
    );
    assert.equal((await open().summary()).totalSearches, 2);
  });

  it("keeps the log and its predecessor below the configured size", async () => {
    const analytics = open(0.02);
    for (let at = 0; at < 2000; at++) {
      analytics.record(event(`query number ${at}`, at));
      if (at % 50 === 0) await analytics.settled();
    }
    await analytics.settled();
    const sizes = await Promise.all(
      ["", ".1"].map(
        async (end) => (await stat(join(folder, `log/search-analytics.jsonl${end}`))).size,
      ),
    );
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 0.02 * 1024 * 1024 + 10_000);
  });

  it("truncates queries to 256 characters and records none when the size is 0", async () => {
    const analytics = open();
    analytics.record(event("x".repeat(5000), 0));
    assert.equal((await analytics.summary()).topQueries[0]?.query.length, 256);
    const off = open(0, "off");
    off.record(event("apple", 1));
    await off.settled();
    await assert.rejects(stat(join(folder, "off")), { code: "ENOENT" });
  });

  it("neither throws nor waits when the log cannot be written", async () => {
    await writeFile(join(folder, "file"), "");
    const analytics = open(50, "file/below/a");
    analytics.record(event("apple", 1));
    await analytics.settled();
    analytics.record(event("pear", 1));
    await analytics.settled();
  });
});
