import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

/** Days and times in the feeds, of a site in New York (UTC-4 in June, UTC-5 in January). */
const DATES: Readonly<Record<string, string>> = {
  "2026-06-01": "2026-06-01T04:00:00.000Z",
  "2026-01-01": "2026-01-01T05:00:00.000Z",
  "2026-06-02 22:30": "2026-06-03T02:30:00.000Z",
  "2026-06-04T22:30:00Z": "2026-06-04T22:30:00.000Z",
  "2026-06-05T22:30:00+02:00": "2026-06-05T20:30:00.000Z",
};

describe("the time zone of the site", () => {
  let site: TestSite;
  before(async () => {
    const files = Object.keys(DATES).map((date, at) => [
      `content/p${at}.md`,
      `---\ntitle: P${at}\ndate: ${date}\n---\nText`,
    ]);
    site = await bootSite({
      files: { "content/index.md": "# Home", ...Object.fromEntries(files) },
      settings: {
        site: { url: "https://a.example" },
        system: { timezone: "America/New_York", languages: { supported: ["en"] } },
      },
    });
    const night = new Date("2026-06-02T03:00:00Z");
    await utimes(join(site.root, "content/p0.md"), night, night);
    await site.site.context("test").use("content").rebuild();
  });
  after(() => site.close());
  const text = async (path: string): Promise<string> => (await site.fetch(path)).text();

  for (const [at, [date, expected]] of Object.entries(DATES).entries()) {
    it(`is that of the date ${date} in feeds`, async () => {
      const { items } = JSON.parse(await text("/feed.json"));
      const item = items.find(({ title }: { title: string }) => title === `P${at}`);
      assert.equal(item.date_published, expected);
      assert.ok((await text("/atom.xml")).includes(`<published>${expected}</published>`));
      const rfc822 = new Date(expected).toUTCString();
      assert.ok((await text("/feed.xml")).includes(`<pubDate>${rfc822}</pubDate>`));
    });
  }

  it("decides the day of lastmod in the sitemap", async () => {
    const sitemap = await text("/sitemap.xml");
    assert.match(sitemap, /\/p0<\/loc><lastmod>2026-06-01<\/lastmod>/);
  });
});
