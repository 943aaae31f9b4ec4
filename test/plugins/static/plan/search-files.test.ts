import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { bootSite } from "../../../support/sites/boot-site.js";
import { exportFolder, type ExportedFolder } from "../../../support/processes/export-folder.js";
import { useChromium } from "../../../support/services.js";
import { hostFolder, type StaticHost } from "../../../support/servers/static-host.js";

const SYSTEM = "search:\n  facets:\n    - field: taxonomy.tag\n";
const FILES = {
  "system.yaml": SYSTEM,
  "content/01.home/default.md": "---\ntitle: Home\n---\nWelcome.\n",
  "content/02.boats/default.md":
    "---\ntitle: Boats\ntaxonomy: { tag: [sea] }\n---\nA boat has a keel & a <mast>.\n",
  "content/03.café/default.md":
    '---\ntitle: "Über 100% Café #1"\ndate: 2024-05-06\ntaxonomy: { tag: [food, sea] }\n---\nKuchen beside the boats.\n',
  "content/04.members/default.md": "---\ntitle: Boats for members\nroles: [member]\n---\nboats\n",
};

for (const prefix of ["", "/docs"]) {
  describe(`the search page of an export${prefix === "" ? "" : " below a path"}`, () => {
    let browser: Browser;
    let site: ExportedFolder;
    let host: StaticHost;
    let page: Page;

    before(async function () {
      browser = await useChromium(this);
      site = await exportFolder(FILES);
      await site.export({ baseUrl: `https://example.org${prefix}` });
      host = await hostFolder(site.out, prefix);
    });
    beforeEach(async () => void (page = await browser.newPage()));
    afterEach(async () => page.close());
    after(async () => {
      await host?.close();
      await site?.close();
    });

    it("finds pages from the field in the header, marks the words and links to the pages", async () => {
      const problems: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text());
      });
      await page.goto(`${host.url}${prefix}/`);
      await page.fill("header input[name=q]", "boat");
      await page.press("header input[name=q]", "Enter");
      await page.waitForSelector(".result");
      assert.deepEqual(await page.locator(".result h2").allTextContents(), [
        "Boats",
        "Über 100% Café #1",
      ]);
      assert.equal(await page.locator(".search-count").textContent(), "2 results for “boat”");
      assert.equal(await page.locator(".result mark").first().textContent(), "boat");
      assert.equal(await page.inputValue("main input[name=q]"), "boat");
      await page.click(".result:nth-child(2) a");
      await page.waitForSelector("h1");
      assert.equal(await page.locator("h1").first().textContent(), "Über 100% Café #1");
      assert.deepEqual(problems, []);
    });

    it("shows facets and filters by them, as the server does", async () => {
      await page.goto(`${host.url}${prefix}/search/?q=boat`);
      await page.waitForSelector(".facets a");
      assert.deepEqual(await page.locator(".facets a").allTextContents(), ["sea 2", "food 1"]);
      await page.click(".facets a >> text=food");
      await page.waitForSelector('.facets a[aria-current="true"]');
      assert.deepEqual(await page.locator(".result h2").allTextContents(), ["Über 100% Café #1"]);
    });

    it("reports when nothing is found, and escapes the query", async () => {
      await page.goto(`${host.url}${prefix}/search/?q=${encodeURIComponent("<img src=x>zzz")}`);
      await page.waitForSelector(".search-count");
      assert.equal(
        await page.locator(".search-count").textContent(),
        "Nothing found for “<img src=x>zzz”",
      );
      assert.equal(await page.locator("main img").count(), 0);
    });
  });
}

describe("the results of an export's search", () => {
  it("equal those of the server", async function () {
    const browser = await useChromium(this);
    const files = {
      ...FILES,
      "system.yaml": `${SYSTEM}languages: { supported: [en, de] }\n`,
      "content/02.boats/default.de.md":
        "---\ntitle: Boote (boats)\n---\nEin Boot hat einen Kiel.\n",
    };
    const exported = await exportFolder(files);
    const server = await bootSite({ files });
    await exported.export();
    const host = await hostFolder(exported.out);
    const page = await browser.newPage();
    try {
      const queries = ["boat", "boats keel", "uber 100%", "café", "kuchen boats", "sea", "xx"];
      const response = queries.map((query) => `search?q=${encodeURIComponent(query)}`);
      for (const path of [...response, "de/search?q=boat", "de/search?q=cafe"]) {
        await page.goto(`${host.url}/${path}`);
        await page.waitForSelector(".search-count");
        const html = await (await server.fetch(`/${path}`)).text();
        const titles = [...html.matchAll(/<h2><a href="[^"]*">([^<]*)</g)].map(([, title]) =>
          (title ?? "").replaceAll("&amp;", "&"),
        );
        const shown = await page.locator(".result h2").allTextContents();
        assert.deepEqual(shown, titles, path);
      }
    } finally {
      await page.close();
      await host.close();
      await exported.close();
      await server.close();
    }
  });
});
