import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { blogFiles } from "../../support/content/blog-files.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const PLUGINS = ["pages", "render", "security", "cache", "health"];
const counter = () => {
  const made = new Map<string, number>();
  const plugin = definePlugin({
    name: "counter",
    version: "1.0.0",
    setup({ http }) {
      http.use("identity", (req, _res, next) => {
        made.set(req.url, (made.get(req.url) ?? 0) + 1);
        next();
      });
    },
  });
  return { made, plugin };
};

describe("cached responses", () => {
  let site: TestSite;
  const { made, plugin } = counter();
  const clock = { at: Date.parse("2029-12-31T23:59:00Z"), now: () => clock.at };
  before(async () => {
    site = await bootSite({
      files: blogFiles,
      plugins: PLUGINS,
      extraPlugins: [plugin],
      env: { SITE_ENV: "production" },
      settings: { system: { server: { rate_limit: false } } },
      clock,
    });
  });
  after(() => site.close());
  const text = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await site.fetch(path, {
      headers: { "Accept-Encoding": "identity", ...headers },
    });
    return { answer, body: await answer.text() };
  };

  for (const path of [
    "/",
    "/blog",
    "/api/pages",
    "/api/pages?order=title:asc",
    "/api/pages/blog",
    "/api/nav",
  ]) {
    it(`serves ${path} from the cache the second time, with the same bytes and headers`, async () => {
      const first = await text(path);
      const second = await text(path);
      assert.equal(made.get(path), 1);
      assert.equal(first.body, second.body);
      const kept = (answer: Response) =>
        Object.fromEntries(
          [...answer.headers].filter(([name]) => name !== "date" && name !== "x-request-id"),
        );
      assert.deepEqual(kept(second.answer), kept(first.answer));
    });

    it(`responds 304 to ${path} with its validator`, async () => {
      const { answer } = await text(path);
      const etag = answer.headers.get("etag") ?? "";
      const again = await text(path, { "If-None-Match": `"other", ${etag}` });
      assert.deepEqual([again.answer.status, again.body], [304, ""]);
      assert.ok(again.answer.headers.get("etag"));
      assert.equal(again.answer.headers.get("x-content-type-options"), "nosniff");
    });
  }

  it("responds to HEAD from the cache without a body", async () => {
    await text("/blog");
    const before = made.get("/blog");
    const head = await site.fetch("/blog", { method: "HEAD" });
    assert.deepEqual([head.status, await head.text(), made.get("/blog")], [200, "", before]);
  });

  it("sends gzip and brotli with their own validators after compression has finished", async () => {
    await until(async () => {
      const { answer } = await text("/", { "Accept-Encoding": "br" });
      return answer.headers.get("content-encoding") === "br";
    });
    const plain = (await text("/", { "Accept-Encoding": "identity" })).answer.headers.get("etag");
    for (const encoding of ["gzip", "br"]) {
      const { answer, body } = await text("/", { "Accept-Encoding": encoding });
      assert.equal(answer.headers.get("content-encoding"), encoding);
      assert.notEqual(answer.headers.get("etag"), plain);
      assert.match(answer.headers.get("vary") ?? "", /Accept-Encoding/);
      assert.match(body, /Hello/);
    }
  });

  it("drops the list and the parent's page when a child changes, and keeps the others", async () => {
    for (const path of ["/", "/blog", "/blog/post-2", "/api/pages"]) await text(path);
    const before = made.get("/blog/post-2");
    const [result] = await site.site
      .use("content")
      .apply([
        { op: "frontmatter", path: "02.blog/01.post-1/post.md", patch: { title: "Changed" } },
      ]);
    assert.equal(result?.status, "updated");
    assert.match((await text("/blog")).body, /Changed/);
    assert.match((await text("/api/pages")).body, /Changed/);
    assert.match((await text("/api/pages/blog/post-1")).body, /Changed/);
    await text("/blog/post-2");
    assert.ok((made.get("/blog/post-2") ?? 0) - (before ?? 0) <= 1);
  });

  it("evicts nothing for unlimited query strings", async () => {
    await text("/");
    const { entries: before } = site.site.use("cache").stats();
    for (let at = 0; at < 100; at += 1) await text(`/?x=${at}`);
    assert.equal(site.site.use("cache").stats().entries, before);
  });

  for (const path of [
    "/api/pages",
    "/api/pages/blog",
    "/api/nav",
    "/api/taxonomy",
    "/api/config/site",
  ]) {
    it(`serves ${path} from the same cached response, regardless of unknown parameters`, async () => {
      const { body } = await text(`${path}?first=1`);
      await text(path);
      const { entries: before } = site.site.use("cache").stats();
      for (let at = 0; at < 20; at += 1) {
        const url = `${path}?x=${at}&utm_source=${at}`;
        assert.equal((await text(url)).body, body);
        assert.equal(made.get(url), undefined, "it bypassed the cache");
      }
      assert.equal(site.site.use("cache").stats().entries, before);
    });
  }

  it("distinguishes declared parameters, also beside unknown ones", async () => {
    await text("/api/pages?limit=1");
    const one = (await text("/api/pages?x=1&limit=1")).body;
    const two = (await text("/api/pages?limit=2&x=1")).body;
    assert.equal((JSON.parse(one) as { items: unknown[] }).items.length, 1);
    assert.equal((JSON.parse(two) as { items: unknown[] }).items.length, 2);
  });

  it("keeps pages while addresses with a query are added and evicted", async () => {
    const { entries } = site.site.use("cache").stats();
    await text("/");
    const before = made.get("/");
    for (let at = 0; at < 50; at += 1) await text(`/api/pages?offset=${at}`);
    await text("/");
    assert.equal(made.get("/"), before);
    assert.ok(site.site.use("cache").stats().entries >= entries);
  });

  it("caches no 404 and no redirect: a page created later is visible at once", async () => {
    assert.equal((await text("/fresh")).answer.status, 404);
    await site.site
      .use("content")
      .apply([{ op: "write", path: "fresh/default.md", content: "# Fresh\n" }]);
    assert.match((await text("/fresh")).body, /Fresh/);
  });

  it("bypasses the cache for a session cookie or a token", async () => {
    await text("/blog");
    const known: Record<string, string>[] = [
      { Cookie: "site_auth=x" },
      { Authorization: "Bearer x" },
    ];
    for (const headers of known) {
      const before = made.get("/blog") ?? 0;
      await text("/blog", headers);
      assert.equal(made.get("/blog"), before + 1);
    }
  });

  it("drops a list when a scheduled page appears", async () => {
    assert.doesNotMatch((await text("/api/pages")).body, /Later/);
    clock.at = Date.parse("2030-01-01T00:00:01Z");
    assert.match((await text("/api/pages")).body, /Later/);
  });

  it("counts hits and misses in the detailed health", () => {
    const { hits, misses, hitRate } = site.site.use("cache").stats();
    assert.ok(hits > 0 && misses > 0);
    assert.equal(hitRate, hits / (hits + misses));
  });
});

describe("http_cache", () => {
  it("uses the rule with the longest pattern that matches whole segments", async () => {
    const rules = [
      { pattern: "/", max_age: 60 },
      { pattern: "/blog", max_age: 600, stale_while_revalidate: 0 },
      { pattern: "/sub/", no_store: true },
    ];
    const site = await bootSite({
      files: { ...blogFiles, "content/06.blogger/default.md": "# Blogger\n" },
      plugins: PLUGINS,
      env: { SITE_ENV: "production" },
      settings: { site: { http_cache: { default_swr: 7, rules } } },
    });
    for (const [path, expected] of [
      ["/", "public, max-age=60, stale-while-revalidate=7"],
      ["/undated", "public, max-age=60, stale-while-revalidate=7"],
      ["/blogger", "public, max-age=60, stale-while-revalidate=7"],
      ["/blog", "public, max-age=600"],
      ["/blog/post-1", "public, max-age=600"],
      ["/sub", "public, max-age=60, stale-while-revalidate=7"],
      ["/sub/children", "no-store"],
      ["/nothing", "no-store"],
    ] as const)
      assert.equal((await site.fetch(path)).headers.get("cache-control"), expected, path);
    await site.close();
  });

  it("revalidates every time by default", async () => {
    const site = await bootSite({
      files: blogFiles,
      plugins: PLUGINS,
      env: { SITE_ENV: "production" },
    });
    const { headers } = await site.fetch("/");
    assert.equal(headers.get("cache-control"), "public, max-age=0, stale-while-revalidate=60");
    await site.close();
  });

  it("fires onCacheMiss, then onCacheHit, and onCacheInvalidate when content changes", async () => {
    const events: string[] = [];
    const ears = definePlugin({
      name: "ears",
      version: "1.0.0",
      hooks: {
        onCacheMiss: ({ data }) => void events.push(`miss ${data.key}`),
        onCacheHit: ({ data }) => void events.push(`hit ${data.key}`),
        onCacheInvalidate: ({ data }) => void events.push(`drop ${data.keys.join()}`),
      },
    });
    const site = await bootSite({
      files: blogFiles,
      plugins: PLUGINS,
      env: { SITE_ENV: "production" },
      extraPlugins: [ears],
    });
    for (let at = 0; at < 2; at += 1) await (await site.fetch("/sub")).text();
    await site.site
      .use("content")
      .apply([{ op: "write", path: "05.sub/default.md", content: "# New\n" }]);
    await site.site.context("ears").hooks.settled();
    await site.close();
    assert.deepEqual(events, ["miss /sub", "hit /sub", "drop /sub"]);
  });
});
