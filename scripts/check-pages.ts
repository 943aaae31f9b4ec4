// Checks pages of the documentation in Chromium: 25 pages, four widths, two color schemes, two directions.
// `node --import=tsx --conditions=source scripts/check-pages.ts [path…]`; takes some minutes, and exits with 1
// after an error. axe checks accessibility, html-validate the markup, and no page may scroll sideways.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { createEnv, createSite, type Site } from "#kernel";
import { silentLog } from "#kernel/internal";
import { firstParty } from "../plugins/main.js";
import { markupErrors } from "./testing/markup-errors.js";
import { startChromium } from "./services/chromium.js";

const MAX_PAGES = 25;
const WIDTHS = [320, 390, 768, 1280];
const SCHEMES = ["light", "dark"] as const;
const DIRECTIONS = ["ltr", "rtl"];
const HEIGHT = 800;
/** Pages that no list names: results, a mistake, pages of terms. */
const SPECIAL = ["/", "/search?q=search", "/search?q=zeppelins", "/missing", "/blog", "/start"];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const violations = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
);
/** Pages of all templates before further ones of a template. */
function pagesOf(site: Site): string[] {
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
  return [...new Set([...SPECIAL, ...urls])].slice(0, MAX_PAGES);
}

async function layoutErrors(page: Page): Promise<string[]> {
  await page.evaluate(axe);
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

/** Errors of a page in all widths, schemes and directions. */
async function errorsOf(browser: Browser, address: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const add = (errors: readonly string[], where: string): void => {
    for (const error of errors) found.set(error, [...(found.get(error) ?? []), where]);
  };
  add(await markupErrors(address), "markup");
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({
      colorScheme,
      bypassCSP: true,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(address);
    for (const direction of DIRECTIONS) {
      await page.evaluate(`document.documentElement.dir = ${JSON.stringify(direction)}`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        add(await layoutErrors(page), `${width} ${colorScheme} ${direction}`);
      }
    }
    await context.close();
  }
  return found;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const env = createEnv({ SITE_ENV: "production" });
const site = await createSite(root, { firstParty, env, log: silentLog });
const url = `http://127.0.0.1:${await site.listen(0)}`;
await site.ready;
const browser = await startChromium();
const named = process.argv.slice(2);
const paths = named.length > 0 ? named : pagesOf(site);
let count = 0;
for (const path of paths) {
  for (const [error, places] of await errorsOf(browser, url + path)) {
    count += 1;
    console.log(`${path}: ${error} [${places.length}: ${places[0] ?? ""}]`);
  }
}
const views = paths.length * WIDTHS.length * SCHEMES.length * DIRECTIONS.length;
console.log(`${count} errors in ${paths.length} pages, ${views} views`);
await browser.close();
await site.close();
process.exitCode = count === 0 ? 0 : 1;
