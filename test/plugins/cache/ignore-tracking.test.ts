import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const TRACKED = [
  "utm_source=a",
  "utm_source=a&utm_medium=b",
  "gclid=1",
  "fbclid=1",
  "msclkid=1",
  "mc_cid=1&mc_eid=2",
  "utm%5Fsource=a",
];

describe("parameters that only track", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "content/index.md": "# Home",
        "content/blog/default.md":
          "---\ncollection: { items: '@self.children', pagination: { size: 1 } }\n---\n# Blog",
        "content/blog/a.md": "# A",
        "content/blog/b.md": "# B",
        "content/old.md": "---\nredirect: /blog\n---\n",
        "content/away.md": "---\nredirect: https://b.example/\n---\n",
      },
      settings: {
        site: { url: "https://a.example", redirects: { "/gone": "/blog?x=1#top" } },
        system: { server: { rate_limit: false } },
      },
      env: { SITE_ENV: "production" },
    });
  });
  after(() => site.close());
  const stats = () => site.site.context("test").use("cache").stats();

  for (const path of ["/", "/blog", "/blog/page:2", "/feed.xml", "/sitemap.xml"]) {
    for (const search of TRACKED) {
      it(`does not split the cache at ${path}?${search}`, async () => {
        const headers = { "Accept-Encoding": "identity" };
        const plain = await site.fetch(path, { headers });
        assert.equal(plain.status, 200);
        const { hits, entries } = stats();
        const tracked = await site.fetch(`${path}?${search}`, { headers });
        assert.equal(tracked.headers.get("etag"), plain.headers.get("etag"));
        assert.equal(await tracked.text(), await plain.text());
        assert.deepEqual([stats().hits, stats().entries], [hits + 1, entries]);
      });
    }
  }

  it("keeps other parameters", async () => {
    const { entries } = stats();
    await site.fetch("/feed.xml?lang=en&utm_source=a");
    await site.fetch("/feed.xml?lang=en");
    assert.equal(stats().entries, entries + 1);
  });

  it("names no such parameter in the page", async () => {
    assert.doesNotMatch(await (await site.fetch("/blog?utm_source=abcd")).text(), /utm_|abcd/);
  });

  for (const [from, location] of [
    ["/old?utm_source=a", "/blog?utm_source=a"],
    ["/old?b=1&utm_source=a", "/blog?b=1&utm_source=a"],
    ["/gone?utm_source=a", "/blog?x=1&utm_source=a#top"],
    ["/blog/?gclid=1", "/blog?gclid=1"],
    ["/away?utm_source=a", "https://b.example/"],
  ] as const) {
    it(`passes them on from ${from}`, async () => {
      const { headers } = await site.fetch(from);
      assert.equal(headers.get("location"), location);
    });
  }

  it("can be configured", async () => {
    const other = await bootSite({
      files: { "content/index.md": "# Home" },
      settings: { site: { http_cache: { tracking_parameters: ["ref"] } } },
      env: { SITE_ENV: "production" },
    });
    const hitsOf = async (path: string): Promise<number> => {
      const before = other.site.context("test").use("cache").stats().hits;
      await other.fetch(path);
      return other.site.context("test").use("cache").stats().hits - before;
    };
    await other.fetch("/");
    assert.equal(await hitsOf("/?ref=a"), 1);
    assert.equal(await hitsOf("/?utm_source=a"), 0);
    await other.close();
  });
});
