import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const files = {
  "content/01.home/default.md": "---\ntitle: Home\n---\nWelcome.\n",
  "content/02.tea/default.md": "---\ntitle: Tea\n---\nA pot of tea.\n",
};
const plugins = ["admin", "cache", "render", "search"];

describe("the cached search page", () => {
  let site: TestSite;
  let hits: string[] = [];
  before(async () => {
    site = await bootSite({ files, plugins, env: { SITE_ENV: "production" } });
    site.site.context("search").hooks.on("onCacheHit", ({ data }) => void hits.push(data.key));
  });
  after(() => site.close());
  beforeEach(() => void (hits = []));
  const read = async (path: string): Promise<string> => (await site.fetch(path)).text();

  it("is rendered once per query", async () => {
    const first = await read("/search?q=tea");
    assert.equal(await read("/search?q=tea"), first);
    assert.deepEqual(hits, ["/search?q=tea"]);
    assert.match(await read("/search?q=coffee"), /Nothing found for “coffee”/);
    assert.equal(hits.length, 1);
  });

  it("counts each search, cached or not", async () => {
    for (let at = 0; at < 3; at += 1) await read("/search?q=pot");
    assert.equal(hits.length, 2);
    const { topQueries } = await site.site.use("search").analytics();
    assert.equal(topQueries.find(({ query }) => query === "pot")?.count, 3);
  });

  it("follows changes of pages", async () => {
    assert.match(await read("/search?q=cup"), /Nothing found for “cup”/);
    await site.write("content/02.tea/default.md", "---\ntitle: Tea\n---\nA cup of tea.\n");
    await until(async () => (await read("/search?q=cup")).includes("<mark>cup</mark>"));
  });

  it("is not cached for addresses with parameters it does not know", async () => {
    for (let at = 0; at < 2; at += 1) await read("/search?q=tea&from=letter");
    assert.deepEqual(hits, []);
  });
});
