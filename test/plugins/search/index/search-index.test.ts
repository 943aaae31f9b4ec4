import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { silentLog } from "#kernel";
import type { SearchEngine } from "../../../../plugins/search/contract.js";
import { IndexFile } from "../../../../plugins/search/index/index-file.js";
import { SearchIndex } from "../../../../plugins/search/index/search-index.js";
import { Sources } from "../../../../plugins/search/index/sources.js";
import { Texts } from "../../../../plugins/search/index/texts.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useFolder } from "../../../support/folder.js";
import { testCaches } from "../../../support/test-caches.js";

describe("a search index that was just built", () => {
  const folder = useFolder();
  let site: TestSite;
  let saves = 0;
  let builds = 0;
  const updates: string[] = [];
  before(async () => {
    site = await bootSite({ files: { "content/a.md": "# A" }, plugins: ["search"] });
  });
  after(() => site.close());
  beforeEach(() => {
    saves = 0;
    builds = 0;
  });

  const engine: SearchEngine = {
    build: async () => {
      builds += 1;
    },
    update: async ({ upsert, remove }) => {
      updates.push(...remove.map((route) => `- ${route}`));
      updates.push(...upsert.map(({ route, body }) => `+ ${route} ${body}`));
    },
    search: () => ({ total: 0, hits: [] }),
    suggest: () => [],
    save: async () => {
      saves += 1;
      return Buffer.from("state");
    },
    load: async () => true,
  };
  const open = async (saveAfterMs: number): Promise<SearchIndex> => {
    const context = site.site.context("search");
    const sources = new Sources(context, new Texts(context, testCaches()));
    await sources.collect();
    const file = new IndexFile({
      folder: folder.path,
      engine: `after ${saveAfterMs}`,
      settings: 1,
    });
    const parts = {
      engine,
      sources,
      file,
      log: silentLog,
      now: Date.now,
      onChange: () => undefined,
    };
    return new SearchIndex({ ...parts, saveAfterMs });
  };

  it("is saved after a delay, so that a crash does not lose it", async () => {
    const index = await open(1);
    await index.start();
    while (!existsSync(join(folder.path, "search-index.json"))) await delay(5);
    const next = await open(1);
    await next.start();
    assert.equal(builds, 1, "the next start loads it and builds nothing");
    await next.close();
    await index.close();
  });

  it("updates changed records without reading pages", async () => {
    const records = new Map([
      ["a", "one"],
      ["b", "two"],
    ]);
    const { hooks } = site.site.context("search");
    hooks.on("onSearchRecordsCollect", ({ data }) => {
      for (const [name, body] of records)
        data.records.push({ route: `/r/${name}`, title: name, body });
    });
    const index = await open(60_000);
    await index.start();
    updates.length = 0;
    records.set("b", "changed").set("c", "new").delete("a");
    await Promise.all([index.refreshRecords(), index.refreshRecords()]);
    assert.deepEqual(updates, ["- /r/a", "+ /r/b changed", "+ /r/c new"]);
    await index.refreshRecords();
    assert.deepEqual([updates.length, builds], [3, 1]);
    await index.close();
  });

  it("is saved once when the site closes earlier", async () => {
    const index = await open(60_000);
    await index.start();
    assert.equal(saves, 0);
    await index.close();
    assert.equal(saves, 1);
  });
});
