import assert from "node:assert/strict";
import sharp from "sharp";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("the lifetime of responses in caches", () => {
  const start = Date.parse("2026-06-01T12:00:00Z");
  const clock = { at: start, now: () => clock.at };
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "content/index.md": "# Home",
        "content/offer/default.md":
          "---\ntitle: Offer\ndate: 2026-05-01\ntaxonomy: { tag: [x] }\nunpublish_date: 2026-06-01T12:05:00Z\n---\nWords",
        "content/offer/a.png": await sharp({
          create: { width: 640, height: 640, channels: 3, background: "#33a" },
        })
          .png()
          .toBuffer(),
        "content/soon.md": "---\ntitle: Soon\npublish_date: 2026-06-01T12:10:00Z\n---\nWords",
        "content/list.md": "---\ntitle: List\ncollection: { items: '@root.children' }\n---\n",
        "content/moved.md":
          "---\ntitle: Moved\nredirect: /list\nunpublish_date: 2026-06-01T12:05:00Z\n---\n",
      },
      settings: {
        site: {
          url: "https://a.example",
          http_cache: { default_max_age: 3_600, default_swr: 86_400 },
        },
        system: { server: { rate_limit: false } },
      },
      env: { SITE_ENV: "production" },
      clock,
    });
  });
  after(() => site.close());
  beforeEach(() => void (clock.at = start));

  async function secondsOf(path: string): Promise<number> {
    const { headers, status } = await site.fetch(path);
    const control = headers.get("cache-control") ?? "";
    const ages = [...control.matchAll(/(?:max-age|stale-while-revalidate)=(\d+)/g)];
    assert.ok(ages.length > 0, `${path}: ${status} ${control}`);
    return ages.reduce((sum, [, age]) => sum + Number(age), 0);
  }

  for (const path of [
    "/offer",
    "/offer.md",
    "/offer/a.png",
    "/offer/a.png?width=320",
    "/content-media/offer/a.png",
    "/list",
    "/api/pages",
    "/api/pages/offer",
    "/api/taxonomy",
    "/api/nav",
    "/api/search?q=words",
    "/api/search/suggest?q=wor",
    "/search?q=words",
    "/feed.xml",
    "/feed.json",
    "/sitemap.xml",
    "/llms.txt",
    "/moved",
  ]) {
    it(`ends with the next change for ${path}, also from the server's cache`, async () => {
      assert.equal(await secondsOf(path), 300);
      clock.at = start + 200_000;
      assert.equal(await secondsOf(path), 100);
    });
  }

  it("ends for a 304 too", async () => {
    const first = await site.fetch("/offer");
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    clock.at = start + 200_000;
    const second = await site.fetch("/offer", { headers });
    assert.equal(second.status, 304);
    assert.equal(second.headers.get("cache-control"), "public, max-age=100");
  });
});
