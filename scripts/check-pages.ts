// Checks 25 pages in Chromium, each in four widths, two color schemes and two directions: 400 views. 15 pages
// are the documentation's, 10 those of a sample site with pictures, formulas and diagrams, in English and Arabic.
// `node --import=tsx --conditions=source scripts/check-pages.ts [path…]` takes some minutes, prints a table,
// and exits with 1 after an error. Named paths are the documentation's.
// axe checks accessibility, html-validate the markup, and no page may scroll sideways.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../plugins/main.js";
import { bootSite } from "../test/support/sites/boot-site.js";
import { READING_PATHS, readingFiles } from "../test/support/content/reading-files.js";
import { until } from "../test/support/until.js";
import { markupErrors } from "./testing/markup-errors.js";
import { startChromium } from "./services/chromium.js";

const MAX_PAGES = 25;
const WIDTHS = [320, 390, 768, 1280];
const SCHEMES = ["light", "dark"] as const;
const DIRECTIONS = ["ltr", "rtl"];
const VIEWS = WIDTHS.length * SCHEMES.length * DIRECTIONS.length;
const HEIGHT = 800;
/** Scripts of the theme follow a new size in the next frame. */
const SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
/** Pages that no list names: results, a mistake, pages of terms. */
const SPECIAL = ["/", "/search?q=search", "/search?q=zeppelins", "/missing", "/blog", "/start"];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const violations = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
);

/** Errors of one page: of its markup, and of its views, each with the views that show it. */
interface Checked {
  readonly pictures: number;
  readonly markup: readonly string[];
  readonly views: ReadonlyMap<string, readonly string[]>;
}

/** Pages of all templates before further ones of a template. */
function pagesOf(site: Site, count: number): string[] {
  const viewer = { roles: null, seesUnpublished: false };
  const view = site.use("content").view(viewer);
  const entries = site
    .use("content")
    .generation()
    .entries.filter((entry) => view.isListed(entry));
  const seen = new Map<string, number>();
  const ranked = entries.map(({ url, template }) => {
    const rank = seen.get(template) ?? 0;
    seen.set(template, rank + 1);
    return { url, rank };
  });
  const urls = ranked.toSorted((a, b) => a.rank - b.rank).map(({ url }) => url);
  return [...new Set([...SPECIAL, ...urls])].slice(0, count);
}

async function viewErrors(page: Page): Promise<string[]> {
  const found = violations.parse(
    await page.evaluate(
      "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)",
    ),
  );
  const wide = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return [
    ...found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`)),
    ...(wide > 0 ? [`scrolls ${wide} pixels sideways`] : []),
  ];
}

/** A page in all widths, schemes and directions. */
async function check(browser: Browser, address: string): Promise<Checked> {
  const views = new Map<string, string[]>();
  let pictures = 0;
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({
      colorScheme,
      bypassCSP: true,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(address);
    await page.evaluate(axe);
    pictures = await page.locator("picture").count();
    for (const direction of DIRECTIONS) {
      await page.evaluate(`document.documentElement.dir = ${JSON.stringify(direction)}`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.evaluate(SETTLED);
        for (const error of await viewErrors(page)) {
          const where = `${width} ${colorScheme} ${direction}`;
          views.set(error, [...(views.get(error) ?? []), where]);
        }
      }
    }
    await context.close();
  }
  return { pictures, markup: await markupErrors(address), views };
}

/** Prints a row of the table and the errors below it; the number of errors. */
function print(path: string, { pictures, markup, views }: Checked): number {
  const cells = [path, VIEWS, pictures, markup.length, views.size];
  console.log(`| ${cells.join(" | ")} |`);
  for (const error of markup) console.log(`    ${error}`);
  for (const [error, where] of views)
    console.log(`    ${error} [in ${where.length} views, as ${where[0] ?? ""}]`);
  return markup.length + views.size;
}

async function checkAll(browser: Browser, url: string, paths: readonly string[]): Promise<number> {
  let errors = 0;
  for (const path of paths) errors += print(path, await check(browser, url + path));
  return errors;
}

async function checkDocumentation(browser: Browser, named: readonly string[]): Promise<number> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const env = createEnv({ SITE_ENV: "production" });
  const site = await createSite(root, { firstParty, env, log: silentLog });
  const url = `http://127.0.0.1:${await site.listen(0)}`;
  await site.ready;
  const paths = named.length > 0 ? named : pagesOf(site, MAX_PAGES - READING_PATHS.length);
  const errors = await checkAll(browser, url, paths);
  await site.close();
  return errors;
}

async function checkSample(browser: Browser): Promise<number> {
  const site = await bootSite({
    files: await readingFiles("docs"),
    env: { SITE_ENV: "production" },
  });
  // Formats are compared in the background; until then a page has plain images.
  await until(async () => {
    const pages = READING_PATHS.map(async (path) => (await site.fetch(path)).text());
    const all = await Promise.all(pages);
    return all.every((html) => html.includes("<picture>"));
  });
  const errors = await checkAll(browser, site.url, READING_PATHS);
  await site.close();
  return errors;
}

console.log("| page | views | pictures | errors in the markup | errors in views |");
console.log("| --- | --- | --- | --- | --- |");
const named = process.argv.slice(2);
const browser = await startChromium();
const errors =
  (await checkDocumentation(browser, named)) + (named.length > 0 ? 0 : await checkSample(browser));
const pages = named.length || MAX_PAGES;
console.log(`${errors} errors in ${pages} pages, ${pages * VIEWS} views`);
await browser.close();
process.exitCode = errors === 0 ? 0 : 1;
