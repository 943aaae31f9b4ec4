import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { READING_PATHS, readingFiles } from "../../support/content/reading-files.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { withPage } from "../../support/browsers/with-page.js";

/** An A4 sheet at 96 pixels per inch. */
const PAPER = { width: 794, height: 1123 };
const MOVING = `[...document.querySelectorAll("*")].filter((element) => {
  const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
  const seconds = transitionDuration.split(",").map(parseFloat);
  return seconds.some((one) => one > 0.05) || animationName !== "none" || scrollBehavior === "smooth";
}).map(({ localName, className }) => localName + "." + className)`;

interface Printed {
  paper: string;
  /** Of the text with the least, on white. */
  contrast: number;
  navigation: boolean;
  tooWide: string[];
  hidden: string[];
}
const PRINTED = `(() => {
  const contrast = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((one) => (one / 255 + 0.055) / 1.055)
      .map((one) => Math.pow(one, 2.4));
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
  };
  const shown = [...document.querySelectorAll("main picture > img")];
  return {
    paper: getComputedStyle(document.body).backgroundColor,
    contrast: Math.min(...["h1", "main p"].flatMap((one) => [...document.querySelectorAll(one)])
      .map((one) => contrast(getComputedStyle(one).color))),
    navigation: [...document.querySelectorAll("header nav")].some((one) => one.offsetParent !== null),
    tooWide: shown.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.src),
    hidden: shown.filter((one) => one.getBoundingClientRect().width === 0).map((one) => one.src),
  };
})()`;

describe("pages with pictures", function () {
  this.timeout(120_000);
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
    site = await bootSite({ files: await readingFiles("blog"), env: { SITE_ENV: "production" } });
    for (const path of READING_PATHS)
      await until(async () => (await (await site.fetch(path)).text()).includes("<picture>"));
  });
  after(() => site?.close());

  const open = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
    withPage(browser, options, work);

  for (const colorScheme of ["light", "dark"] as const) {
    it(`print dark text on white paper, with every picture on it, for readers of ${colorScheme} pages`, async () => {
      await open({ colorScheme, viewport: PAPER }, async (page) => {
        for (const path of READING_PATHS) {
          await page.goto(site.url + path);
          await page.emulateMedia({ media: "print" });
          const { paper, contrast, ...others } = await page.evaluate<Printed>(PRINTED);
          assert.equal(paper, "rgb(255, 255, 255)", path);
          assert.ok(contrast >= 4.5, `${path}: ${contrast}`);
          assert.deepEqual(others, { navigation: false, tooWide: [], hidden: [] }, path);
          await page.emulateMedia({ media: null });
        }
      });
    });
  }

  it("print pictures that the reader did not scroll to", async () => {
    await open({ viewport: { width: 390, height: 200 } }, async (page) => {
      await page.goto(`${site.url}/everything`);
      const images = (await page.pdf()).toString("latin1").match(/\/Subtype\s*\/Image/g) ?? [];
      assert.ok(images.length >= 1, "no image in the PDF");
    });
  });

  it("move nothing for readers who ask for reduced motion, also when a picture is opened", async () => {
    await open({ reducedMotion: "reduce", viewport: PAPER }, async (page) => {
      for (const path of READING_PATHS) {
        await page.goto(site.url + path);
        assert.deepEqual(await page.evaluate(MOVING), [], path);
      }
      await page.goto(`${site.url}/everything`);
      await page.locator(".prose picture > img").first().click();
      await page.locator("dialog[open] img").waitFor();
      assert.deepEqual(await page.evaluate(MOVING), []);
    });
  });
});
