import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useChromium } from "../../support/services.js";

const NAMES = ["Products", "Documentation", "Journal", "Questions", "Company", "Contact"];

// Where everything in the frame stands.
const PLACES = `JSON.stringify([...document.querySelectorAll(".site-header *, main")]
  .filter((element) => !element.closest("[data-theme-toggle]"))
  .map((element) => { const { x, y } = element.getBoundingClientRect(); return [x, y]; }))`;
// What the script shows, as it is in the HTML: the state of the first paint.
const HIDE = `document.querySelectorAll("[data-theme-toggle]").forEach((one) => { one.hidden = true; })`;

describe("the header of the default theme", () => {
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
    const pages = NAMES.map((name, at) => [
      `content/0${at + 2}.${name.toLowerCase()}/default.md`,
      `---\ntitle: ${name}\n---\n\nText.\n`,
    ]);
    site = await bootSite({
      files: {
        "site.yaml": "title: A site with a name\n",
        "content/01.home/default.md": "---\ntitle: Home\n---\n\nText.\n",
        ...Object.fromEntries(pages),
      },
      env: { SITE_ENV: "production" },
    });
  });
  after(() => site.close());

  for (const width of [320, 360, 375, 414, 768, 1280]) {
    it(`moves nothing at ${width} px when the script shows the colour switch`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 812 } });
      const page = await context.newPage();
      await page.goto(site.url, { waitUntil: "load" });
      assert.equal(await page.locator("[data-theme-toggle]").isVisible(), true);
      const shown = await page.evaluate(PLACES);
      await page.evaluate(HIDE);
      assert.equal(await page.locator("[data-theme-toggle]").isVisible(), false);
      assert.equal(await page.evaluate(PLACES), shown);
      await context.close();
    });
  }

  it("keeps no room for the colour switch without scripts", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(site.url, { waitUntil: "load" });
    assert.equal(await page.locator("[data-theme-toggle]").boundingBox(), null);
    await context.close();
  });
});
