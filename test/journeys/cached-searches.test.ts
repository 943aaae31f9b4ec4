import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const day = 86_400_000;
const files = {
  "content/01.home/default.md": "# Home\n\nWelcome to the orchard.",
  "content/02.apple/default.md": "---\ntitle: Apple\n---\nAn apple a day.",
  "content/03.members/default.md": "---\ntitle: Apple members\nroles: member\n---\nsecret apple",
  "content/04.later/default.md":
    "---\ntitle: Apple later\npublish_date: 2030-01-02T00:00:00Z\n---\nlater",
};

describe("search responses, cached for anonymous visitors", () => {
  let site: TestSite;
  const clock = { at: Date.parse("2030-01-01T00:00:00Z"), now: () => clock.at };
  before(async () => {
    site = await bootSite({
      plugins: ["content", "markdown", "search", "cache"],
      files,
      env: { SITE_ENV: "production" },
      clock,
    });
  });
  after(() => site.close());
  const routes = async (path: string): Promise<string[]> => {
    const answer = (await (await site.fetch(path)).json()) as { items: { route: string }[] };
    return answer.items.map(({ route }) => route).toSorted();
  };
  const hits = (): number => site.site.use("cache").stats().hits;
  const change = async (path: string, content: string): Promise<void> => {
    await site.site.use("content").apply([{ op: "write", path, content }]);
    await site.site.use("search").rebuild();
  };

  it("are sent without the engine, and each is recorded in the analytics", async () => {
    const before = hits();
    for (let at = 0; at < 5; at += 1) {
      assert.deepEqual(await routes("/api/search?q=orchard"), ["/"]);
    }
    assert.equal(hits(), before + 4);
    const { topQueries } = await site.site.use("search").analytics();
    assert.deepEqual(topQueries, [{ query: "orchard", count: 5, avgResults: 1 }]);
    const log = await readFile(join(site.root, ".dune/admin/search-analytics.jsonl"), "utf8");
    assert.equal(log.trim().split("\n").length, 5);
  });

  it("record nothing without a search", async () => {
    const { totalSearches } = await site.site.use("search").analytics();
    for (const query of ["", "q=", "q=a", "q=orchard&published=false"])
      for (let at = 0; at < 3; at += 1) await routes(`/api/search?${query}`);
    assert.equal((await site.site.use("search").analytics()).totalSearches, totalSearches);
  });

  it("are dropped when the first file of synonyms appears", async () => {
    const address = "/api/search?q=welkin&similar=1";
    const similar = async (): Promise<string[]> => {
      const answer = (await (await site.fetch(address)).json()) as {
        similar: { route: string; matched: string }[];
      };
      return answer.similar.map(({ route, matched }) => `${matched} ${route}`);
    };
    assert.deepEqual(await similar(), []);
    const before = hits();
    assert.deepEqual(await similar(), []);
    assert.equal(hits(), before + 1);
    await site.write("search/synonyms.yaml", "groups: [[welkin, orchard]]\n");
    // Another query looks at the file, or the watcher of its folder has done so.
    clock.at += 1_000;
    await site.fetch("/api/search?q=other&similar=1");
    assert.deepEqual(await similar(), ["synonym /"]);
  });

  it("are dropped when the index changes", async () => {
    assert.deepEqual(await routes("/api/search?q=apple"), ["/apple"]);
    await change("05.more/default.md", "---\ntitle: More\n---\nanother apple");
    assert.deepEqual(await routes("/api/search?q=apple"), ["/apple", "/more"]);
  });

  it("hide a page at once when it is gated, whatever the engine does meanwhile", async () => {
    assert.deepEqual(await routes("/api/search?q=another"), ["/more"]);
    const content = "---\ntitle: More\nroles: member\n---\nanother apple";
    await site.site.use("content").apply([{ op: "write", path: "05.more/default.md", content }]);
    assert.deepEqual(await routes("/api/search?q=another"), []);
  });

  it("are not shared with visitors with more access", async () => {
    assert.deepEqual(await routes("/api/search?q=secret"), []);
    const known = await site.fetch("/api/search?q=secret", { headers: { Cookie: "site_auth=x" } });
    assert.ok(known.ok);
    assert.deepEqual(await routes("/api/search?q=secret"), []);
  });

  it("expire when a scheduled page appears", async () => {
    assert.deepEqual(await routes("/api/search?q=later"), []);
    clock.at += day + 1_000;
    assert.deepEqual(await routes("/api/search?q=later"), ["/later"]);
    const suggestions = await (await site.fetch("/api/search/suggest?q=apple")).text();
    assert.match(suggestions, /Apple later/);
  });

  it("are one entry per query, whatever unknown parameters it has", async () => {
    const { entries } = site.site.use("cache").stats();
    for (let at = 0; at < 20; at += 1) await routes(`/api/search?x=${at}&q=welcome`);
    assert.ok(site.site.use("cache").stats().entries <= entries + 1);
  });
});
