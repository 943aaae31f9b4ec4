import assert from "node:assert/strict";
import { useAdmin } from "../../../../support/sites/use-site.js";

describe("GET /admin/api/cache", () => {
  const site = useAdmin({
    files: {
      "content/01.home/default.md": "# Home\n",
      "content/02.blog/default.md": "# Blog\n",
      "content/03.café/default.md": "# Café\n",
    },
    env: { SITE_ENV: "production" },
  });
  const admin = site.user("admin");
  const explain = (path: string) =>
    admin.json(200, "GET", `/admin/api/cache?path=${encodeURIComponent(path)}`);
  const visit = async (path: string) => {
    const response = await site.fetch(path);
    assert.equal(response.status, 200);
    await response.text();
  };

  it("lists the spaces with entries, bytes and hit rate", async () => {
    for (let at = 0; at < 4; at += 1) await visit("/api/nav");
    const { items, total, entries, bytes } = await admin.json(200, "GET", "/admin/api/cache");
    assert.equal(total, items.length);
    const responses = items.find(({ name }: { name: string }) => name === "responses");
    assert.ok(responses.entries >= 1 && responses.hits >= 3 && responses.misses >= 1);
    assert.equal(responses.hitRate, responses.hits / (responses.hits + responses.misses));
    assert.ok(responses.bytes > 0 && responses.bytes < responses.maxBytes);
    assert.ok(entries >= responses.entries && bytes >= responses.bytes);
  });

  it("explains since when an address is cached, from what it was made, and why it was dropped", async () => {
    const start = Date.now();
    await visit("/api/pages/blog");
    const before = await explain("/api/pages/blog");
    assert.deepEqual([before.path, before.cached], ["/api/pages/blog", true]);
    const response = before.items.find(({ space }: { space: string }) => space === "responses");
    assert.equal(response.state, "cached");
    assert.ok(response.since >= start && response.since <= Date.now());
    assert.ok(response.bytes > 0 && response.tags.length > 0);
    assert.equal(response.dropped, null);

    const change = { op: "write", path: "02.blog/default.md", content: "# Changed\n" } as const;
    await site.site.use("content").apply([change]);
    const after = await explain("/api/pages/blog");
    assert.equal(after.cached, false);
    const dropped = after.items.find(({ space }: { space: string }) => space === "responses");
    assert.equal(dropped.state, "absent");
    assert.equal(dropped.dropped.reason, "tag");
    assert.ok(response.tags.includes(dropped.dropped.tag));
  });

  it("finds an address with other letters as it is read, and as it is sent", async () => {
    await visit("/api/pages/caf%C3%A9");
    assert.equal((await explain("/api/pages/café")).cached, true);
    assert.equal((await explain("/api/pages/caf%C3%A9")).cached, true);
  });

  it("knows nothing of an address whose parameters alone are known", async () => {
    await visit("/api/pages?limit=1&utm_source=x");
    for (const path of ["/api/pages", "/api/pages?"]) {
      assert.deepEqual(await explain(path), { path, cached: false, items: [], total: 0 });
    }
    assert.equal((await explain("/api/pages?limit=1")).cached, true);
  });

  it("knows nothing of an address that was never requested", async () => {
    const path = "/nowhere";
    assert.deepEqual(await explain(path), { path, cached: false, items: [], total: 0 });
    assert.equal((await explain("/\uFFFD")).cached, false);
  });

  it("responds 400 to an empty path", async () => {
    assert.equal((await admin.send("GET", "/admin/api/cache?path=")).status, 400);
  });

  it("needs config.read", async () => {
    const author = await site.as("author");
    const editor = await site.as("editor");
    assert.equal((await author.send("GET", "/admin/api/cache")).status, 403);
    assert.equal((await editor.send("GET", "/admin/api/cache")).status, 200);
  });
});
