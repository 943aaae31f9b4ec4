import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { scaffoldSite } from "../../../plugins/render/new-site.js";
import { markupErrors } from "../../../scripts/testing/markup-errors.js";
import { viewsOf } from "../../support/browsers/views.js";
import { withPage } from "../../support/browsers/with-page.js";
import { useChromium } from "../../support/services.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PATHS = ["/", "/work", "/work/harbour-signs", "/work/stoneware", "/about", "/contact"];

describe("a new portfolio in a browser", function () {
  this.timeout(120_000);
  let root = "";
  let browser: Browser;
  let site: TestSite;

  before(async function () {
    browser = await useChromium(this);
    root = await mkdtemp(join(tmpdir(), "site-portfolio-"));
    await scaffoldSite(root, new Date("2026-05-04T10:00:00Z"), {
      preset: "portfolio",
      look: "poster",
    });
    site = await bootSite({ root, env: { SITE_ENV: "production" } });
  });
  after(async () => {
    await site?.close();
    if (root !== "") await rm(root, { recursive: true, force: true });
  });

  for (const { colorScheme, width } of viewsOf([1280, 390])) {
    it(`has no axe violation, ${colorScheme} and ${width} pixels wide, without overflow`, async () => {
      const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
      await withPage(browser, options, async (page) => {
        for (const path of PATHS) {
          await page.goto(site.url + path);
          await page.evaluate(axe);
          const found: string[] = await page.evaluate(
            `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
          );
          assert.deepEqual(found, [], path);
          const excess: number = await page.evaluate(
            "document.documentElement.scrollWidth - innerWidth",
          );
          assert.ok(excess <= 0, `${path} is ${excess} pixels too wide`);
        }
      });
    });
  }

  it("has valid markup", async () => {
    for (const path of PATHS) assert.deepEqual(await markupErrors(site.url + path), [], path);
  });

  it("shows the projects as pictures in their order, each linked to its page with facts and gallery", async () => {
    await withPage(browser, {}, async (page) => {
      await page.goto(`${site.url}/work`);
      const titles = await page.locator(".tile h2").allInnerTexts();
      assert.deepEqual(titles, ["Harbour signs", "Tide calendar", "Stoneware", "North Line"]);
      assert.equal(await page.locator(".tile img").count(), 4);
      await page.locator(".tile").first().click();
      await page.waitForURL(`${site.url}/work/harbour-signs`);
      assert.match(await page.locator(".project-facts").innerText(), /Client[^]*Year\s+2026/);
      const alts = await page
        .locator(".project-pictures img")
        .evaluateAll((images) => images.map((image) => image.getAttribute("alt") ?? ""));
      assert.equal(alts.length, 2);
      assert.ok(alts.every((alt) => alt !== ""));
    });
  });
});
