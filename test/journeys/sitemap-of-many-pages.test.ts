import assert from "node:assert/strict";
import { definePlugin, type SiteContext } from "#kernel";
import type { PageEntry } from "../../plugins/content/contract.js";
import { feedsHandler } from "../../plugins/feeds/routes.js";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { assertValid } from "../support/oracles/valid-xml.js";

const PAGES = 100_000;

/** Feeds of a site with one page repeated a hundred thousand times. */
const many = definePlugin({
  name: "many",
  version: "1.0.0",
  requires: ["feeds"],
  setup(site) {
    let items: PageEntry[] = [];
    site.lifecycle.onReady(() => {
      const [page] = site.use("content").generation().entries;
      assert.ok(page);
      items = Array.from({ length: PAGES }, (_, at) => {
        const path = `/page-${at}-&-<>`;
        return { ...page, route: path, url: encodeURI(path), depth: 1 };
      });
    });
    // The parts of a view that a sitemap uses.
    const view = () => ({
      reads: new Set<string>(),
      viewer: { roles: null, seesUnpublished: false },
      personal: false,
      expiresAt: null,
      list: () => ({ items, total: PAGES }),
      translations: () => [],
    });
    const use = ((name: "content", options: { optional: true }) =>
      name === "content"
        ? {
            view,
            languages: site.use("content").languages,
            indexing: site.use("content").indexing,
          }
        : site.use(name, options)) as unknown as SiteContext["use"];
    // Before the handler of the plugin itself.
    site.http.use("identity", feedsHandler({ ...site, use }));
  },
});

describe("the sitemap of 100,000 pages", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: { "content/01.home/default.md": "# Home\n" },
      settings: { site: { url: "https://journal.example" } },
      plugins: ["feeds", "pages", "health"],
      extraPlugins: [many],
    });
  });
  after(() => site.close());

  it("is an index of two valid files with 50,000 addresses each", async () => {
    const index = await (await site.fetch("/sitemap.xml")).text();
    await assertValid(index, "sitemap");
    assert.equal(index.match(/<loc>/g)?.length, 2);
    const seen = new Set<string>();
    for (const part of [1, 2]) {
      const xml = await (await site.fetch(`/sitemap-${part}.xml`)).text();
      const found = xml.match(/<loc>[^<]*/g) ?? [];
      assert.equal(found.length, 50_000);
      found.forEach((loc) => seen.add(loc));
      if (part === 1) await assertValid(xml, "sitemap");
    }
    assert.equal(seen.size, PAGES);
    assert.equal((await site.fetch("/sitemap-3.xml")).status, 404);
  });

  it("lets other requests run in between", async () => {
    const order: string[] = [];
    const slow = site.fetch("/sitemap-2.xml").then(() => order.push("sitemap"));
    while (!order.includes("live")) {
      assert.equal((await site.fetch("/health/live")).status, 200);
      order.push("live");
    }
    await slow;
    assert.deepEqual(order, ["live", "sitemap"]);
  });
});
