import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";

const TEXT = "Text.\n\n".repeat(100);

describe("links from other sites to anchors", () => {
  let browser: Browser;
  let site: TestSite;
  let page: Page;
  before(async function () {
    browser = await useChromium(this);
    site = await bootSite({
      files: {
        "site.yaml": "title: T\n",
        "content/01.home/default.md": `---\ntitle: Home\n---\n\n${TEXT}\n\n## ERR_PORT\n\n${TEXT}\n\n<a id="Own"></a>Own\n\n${TEXT}[Tides](/boats#tides)\n\n[Wind](https://other.example/#wind)`,
        "content/02.boats/default.md": `---\ntitle: Boats\n---\n\n${TEXT}\n\n## Tides\n\n${TEXT}`,
      },
      env: { SITE_ENV: "production" },
    });
    page = await browser.newPage();
  });
  after(() => site.close());

  for (const [written, found] of [
    ["#err_port", "#err_port"],
    ["#ERR_PORT", "#err_port"],
    ["#Own", "#user-content-Own"],
    ["#nothing", "#nothing"],
    ["#%E0%A4%A", "#%E0%A4%A"],
  ] as const) {
    it(`lead from ${written} to ${found}`, async () => {
      await page.goto("about:blank");
      await page.goto(`${site.url}/${written}`, { waitUntil: "load" });
      assert.equal(await page.evaluate("location.hash"), found);
      const isScrolled = !["#nothing", "#%E0%A4%A"].includes(found);
      if (isScrolled) await until(() => page.evaluate("scrollY > 100"));
      else assert.equal(await page.evaluate("scrollY"), 0);
    });
  }

  it("lead to the page of the site that has the section now, when the page links there", async () => {
    for (const written of ["tides", "Tides"]) {
      await page.goto("about:blank");
      await page.goto(`${site.url}/#${written}`);
      await page.waitForURL(`${site.url}/boats#tides`);
    }
    await until(() => page.evaluate("scrollY > 100"));
    await page.goto("about:blank");
    await page.goto(`${site.url}/#wind`, { waitUntil: "load" });
    assert.equal(page.url(), `${site.url}/#wind`);
  });

  it("are followed when only the anchor changes", async () => {
    await page.goto(site.url, { waitUntil: "load" });
    await page.evaluate(`location.hash = "Own"`);
    await page.waitForURL(`${site.url}/#user-content-Own`);
  });
});
