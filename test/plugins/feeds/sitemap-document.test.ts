import assert from "node:assert/strict";
import { XMLParser } from "fast-xml-parser";
import {
  sitemapFile,
  sitemapIndex,
  sitemapPages,
} from "../../../plugins/feeds/sitemap-document.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const files = {
  "content/01.home/default.md": "# Home",
  "content/02.a/default.md": "---\nimage: p q.png\n---\n",
  "content/02.a/default.de.md": "---\ntitle: A\n---\n",
  "content/02.a/b/default.md": "---\nimage: /x&y.png\n---\n",
  "content/02.a/b/c/default.md": "# C",
  "content/03.draft/default.md": "---\npublished: false\n---\n",
  "content/04.private/default.md": "# P",
  "content/05.privateer/default.md": "# P",
  "content/06.gated/default.md": "---\nroles: [member]\n---\n",
};

describe("the sitemap", () => {
  let site: TestSite;
  before(async () => {
    const sitemap = { exclude: ["/private/"], changefreq: { "/a": "hourly", "/a/b/c": "never" } };
    site = await bootSite({
      files,
      plugins: ["feeds"],
      settings: {
        site: { url: "https://a.example", sitemap },
        system: { languages: { supported: ["en", "de"] } },
      },
    });
  });
  after(() => site.close());

  it("is an empty list for a site without pages", async () => {
    const empty = await bootSite({ plugins: ["feeds"] });
    const answer = await empty.fetch("/sitemap.xml");
    assert.equal(answer.status, 200);
    assert.deepEqual(new XMLParser().parse(await answer.text()), { "?xml": "", urlset: "" });
    await empty.close();
  });

  async function rows(): Promise<Record<string, unknown>[]> {
    const context = site.site.context("feeds");
    const view = context.use("content").view({ roles: null, seesUnpublished: false });
    const xml = await sitemapFile(context, view, sitemapPages(context, view));
    return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(xml).urlset
      .url;
  }
  const rowOf = async (loc: string) => (await rows()).find((row) => row["loc"] === loc);

  it("contains public pages, and nothing at or below an excluded route", async () => {
    const locations = (await rows()).map(({ loc }) =>
      String(loc).slice("https://a.example".length),
    );
    assert.ok(!locations.some((path) => /draft|gated|private$/.test(path)), locations.join());
    for (const path of ["/", "/a", "/a/b", "/a/b/c", "/de/a", "/privateer"]) {
      assert.ok(locations.includes(path), path);
    }
  });

  for (const [path, changefreq, priority] of [
    ["/", "daily", 1],
    ["/privateer", "daily", 1],
    ["/a/b", "hourly", 0.8],
    ["/a/b/c", "never", 0.6],
  ] as const) {
    it(`has ${changefreq} and ${priority} for ${path}`, async () => {
      const row = await rowOf(`https://a.example${path}`);
      assert.equal(row?.["changefreq"], changefreq);
      assert.equal(row?.["priority"], priority);
    });
  }

  it("contains the image of a page, from its folder or the site", async () => {
    const image = async (path: string) => JSON.stringify((await rowOf(path))?.["image:image"]);
    assert.match(await image("https://a.example/a"), /content-media\/02\.a\/p%20q\.png/);
    assert.match(await image("https://a.example/a/b"), /https:\/\/a\.example\/x&(amp;)?y\.png/);
  });

  it("lists the translations of a page, with the default language as x-default", async () => {
    const row = await rowOf("https://a.example/a");
    assert.deepEqual(
      [row?.["xhtml:link"]].flat().map((link) => [Object(link)["hreflang"], Object(link)["href"]]),
      [
        ["de", "https://a.example/de/a"],
        ["en", "https://a.example/a"],
        ["x-default", "https://a.example/a"],
      ],
    );
  });

  it("of several files has an index of them, from 1", async () => {
    const xml = await sitemapIndex("https://a.example", 2);
    assert.deepEqual(
      xml.match(/<loc>[^<]*/g),
      [1, 2].map((at) => `<loc>https://a.example/sitemap-${at}.xml`),
    );
  });
});
