import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useChromium } from "../../support/services.js";
import { withPage } from "../../support/browsers/with-page.js";

const SECTIONS = ["Products", "Documentation", "Journal", "Questions", "Company", "Contact"];
const WIDTHS = [320, 390, 768, 1024, 1280, 1600];
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

const text =
  "Words.\n\n## First part\n\nMore `code` and a [link](/journal).\n\n## Second part\n\nEnd.\n";
const files = {
  "site.yaml": "title: A site with a name\ntaxonomies: [tag]\n",
  "system.yaml": "languages: { supported: [en, ar, de], default: en }\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\nText.\n",
  "content/01.home/default.ar.md": "---\ntitle: الرئيسية\n---\nنص.\n",
  ...Object.fromEntries(
    SECTIONS.map((name, at) => [
      `content/0${at + 2}.${name.toLowerCase()}/docs.md`,
      `---\ntitle: ${name}\n---\n\n${text}`,
    ]),
  ),
  "content/03.documentation/01.start/docs.md": `---\ntitle: Start\n---\n${text}`,
  "content/04.journal/one/post.md": `---\ntitle: One\ndate: 2026-01-01\nimage: a.svg\ntaxonomy: { tag: [red] }\n---\n${text}`,
  "content/04.journal/one/post.de.md":
    "---\ntitle: Eins\ndate: 2026-01-01\ntaxonomy: { tag: [rot] }\n---\nText.\n",
  "content/04.journal/one/a.svg":
    "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='40'><rect width='80' height='40'/></svg>",
  "content/04.journal/long/post.md": `---\ntitle: ${LONG}\ndate: 2026-01-02\n---\n${text}`,
  "content/08.long/docs.md": `---\ntitle: ${LONG}\nvisible: false\n---\n## ${LONG}\n\n${text}`,
};

describe("reading pages of the default theme", function () {
  this.timeout(120_000);
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
    site = await bootSite({ files, env: { SITE_ENV: "production" } });
  });
  after(() => site?.close());

  const open = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
    withPage(browser, options, work);

  it("prints dark text on white paper after the visitor chose dark colours", async () => {
    await open({ colorScheme: "light" }, async (page) => {
      await page.goto(`${site.url}/journal/one`);
      await page.locator("[data-theme-toggle]").click();
      await page.emulateMedia({ media: "print" });
      const brightness = (selector: string, property: string): Promise<number> =>
        page.evaluate(
          `getComputedStyle(document.querySelector("${selector}")).${property}.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)`,
        );
      assert.equal(await brightness("body", "backgroundColor"), 3 * 255);
      for (const selector of ["h1", ".prose p", ".prose code", ".prose a"])
        assert.ok((await brightness(selector, "color")) < 3 * 110, selector);
    });
  });

  for (const width of WIDTHS) {
    it(`keeps the header in one line and long words inside the page at ${width} px`, async () => {
      await open({ viewport: { width, height: 800 } }, async (page) => {
        for (const path of ["/", "/journal", "/journal/long", "/long"]) {
          await page.goto(site.url + path);
          const found: Record<string, number> = await page.evaluate(`({
            tooWide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
            headerHeight: document.querySelector(".site-header").offsetHeight,
            cutOff: document.querySelector(".nav-wide").scrollWidth - document.querySelector(".nav-wide").clientWidth,
            overlap: [...document.querySelectorAll(".bar > *")].filter((one) => one.offsetWidth > 0)
              .map((one) => one.getBoundingClientRect())
              .filter((box, at, all) => at > 0 && box.left < all[at - 1].right).length,
          })`);
          assert.ok((found["headerHeight"] ?? 0) <= 72, `${path} ${found["headerHeight"]}`);
          assert.deepEqual(
            [found["tooWide"], found["cutOff"], found["overlap"]],
            [0, 0, 0],
            `${path} at ${width}`,
          );
        }
      });
    });
  }

  it("keeps a section with a long name inside the page", async () => {
    const long = `---\ntitle: ${LONG}\n---\n${text}`;
    const other = await bootSite({ files: { ...files, "content/08.long/docs.md": long } });
    try {
      await open({}, async (page) => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(`${other.url}/journal`);
          const excess = "document.documentElement.scrollWidth - innerWidth";
          assert.equal(await page.evaluate(excess), 0, `${width} px`);
        }
      });
    } finally {
      await other.close();
    }
  });

  it("shows the heading of an anchor below the bars at the top, and its link in a long list", async () => {
    const parts = Array.from(
      { length: 60 },
      (_, at) => `## Part ${at}\n\n${"Words. ".repeat(150)}`,
    );
    const other = await bootSite({
      files: {
        "site.yaml": "title: Docs\ntheme: { preset: docs }\n",
        "content/01.home/docs.md": "---\ntitle: Home\n---\n",
        "content/02.long/docs.md": `---\ntitle: Long\n---\n\n${parts.join("\n\n")}\n`,
      },
      env: { SITE_ENV: "production" },
    });
    try {
      for (const width of [390, 1024, 1280]) {
        const viewport = { width, height: 800 };
        await open({ viewport, reducedMotion: "reduce" }, async (page) => {
          await page.goto(`${other.url}/long#part-40`);
          await page
            .locator('.contents a[href="#part-40"][aria-current]')
            .waitFor({ state: "attached" });
          const gap: number = await page.evaluate(`(() => {
            const bars = [...document.querySelectorAll(".site-header, .docs-bar")].filter((one) => one.offsetWidth > 0);
            const bottom = Math.max(...bars.map((one) => one.getBoundingClientRect().bottom));
            return document.getElementById("part-40").getBoundingClientRect().top - bottom;
          })()`);
          assert.ok(gap >= 0 && gap < 60, `${gap} px at ${width}`);
          if (width < 1280) await page.getByRole("button", { name: "On this page" }).click();
          // A list that was just opened scrolls with its next event.
          await page.waitForFunction(`(() => {
            const list = document.querySelector(".contents").getBoundingClientRect();
            const link = document.querySelector(".contents [aria-current]").getBoundingClientRect();
            return link.height > 0 && link.top >= list.top && link.bottom <= list.bottom;
          })()`);
        });
      }
    } finally {
      await other.close();
    }
  });

  it("shows six sections as links at 1280 px", async () => {
    await open({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await page.goto(`${site.url}/products`);
      assert.equal(await page.locator(".nav-wide").isVisible(), true);
      assert.equal(await page.locator(".nav-narrow").isVisible(), false);
    });
  });

  it("states the language and direction of each text of an untranslated page", async () => {
    await open({ viewport: { width: 1600, height: 900 } }, async (page) => {
      for (const path of ["/ar/documentation/start", "/ar/journal/one"]) {
        await page.goto(site.url + path);
        // The closest `lang` and `dir` of everything that shows words of the page.
        const wrong: string[] = await page.evaluate(`
          [...document.querySelectorAll("title, h1, .prose, .contents li, .breadcrumbs li + li a, .neighbours span, .nav-wide a, .nav-narrow a, .docs-nav li + li a, .docs-nav summary, .tags li, .site-footer li a[lang]")]
            .filter((one) => one.closest("[lang]").lang !== "en" || one.closest("[dir]").dir !== "ltr")
            .map((one) => one.outerHTML.slice(0, 80))`);
        assert.deepEqual(wrong, [], path);
        assert.equal(await page.locator("html").getAttribute("lang"), "ar");
        assert.equal(
          await page.locator(".breadcrumbs li:first-child a").getAttribute("lang"),
          null,
        );
      }
    });
  });

  it("lead from a term to the search in its language", async () => {
    await open({}, async (page) => {
      for (const [path, found] of [
        ["/ar/journal/one", "/journal/one"],
        ["/de/journal/one", "/de/journal/one"],
        ["/journal/one", "/journal/one"],
      ] as const) {
        await page.goto(site.url + path);
        await page.locator(".tags a").click();
        const targets: string[] = await page.evaluate(
          "[...document.querySelectorAll('main a')].map(({ pathname }) => pathname)",
        );
        assert.ok(targets.includes(found), `${path}: ${targets.join(" ")}`);
      }
    });
  });

  it("names no SVG as the image of a preview", async () => {
    const html = await (await site.fetch("/journal/one")).text();
    assert.doesNotMatch(html, /og:image" content="[^"]*\.svg/);
  });
});
