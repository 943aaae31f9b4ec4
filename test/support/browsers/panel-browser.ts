// The panel in Chromium: a site with it, signed-in pages, and checks of what is on the screen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { adminPlugins, bootAdmin, type AdminSite } from "../sites/admin-site.js";
import type { BootOptions } from "../sites/boot-site.js";
import { repository } from "../repository.js";
import { hasAllPairings } from "./views.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** For one step on a busy machine. */
const STEP_MS = 60_000;

/** The plugins for tests of the panel. */
export const panelPlugins = [...adminPlugins, "panel", "render"];

/** A site with the panel. */
export function bootPanel(options: BootOptions = {}): Promise<AdminSite> {
  return bootAdmin({ plugins: panelPlugins, ...options });
}

/** A page of the panel that is signed in, with what went wrong in it. */
export interface PanelPage {
  page: Page;
  /** Messages of the console and uncaught errors. */
  messages: string[];
  close(): Promise<void>;
}
/** How a page is opened. */
export interface PanelPageOptions extends BrowserContextOptions {
  role?: string;
  username?: string;
  path?: string;
}

/** Signs in by session cookie and opens a screen. */
export async function openPanel(
  browser: Browser,
  site: AdminSite,
  { role = "admin", username = `${role}-panel`, path = "", ...options }: PanelPageOptions = {},
): Promise<PanelPage> {
  const { cookie } = await site.as(role, { username });
  const [name = "", value = ""] = cookie.split("=");
  const context = await browser.newContext({
    baseURL: site.url,
    locale: "en-GB",
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(STEP_MS);
  await context.addCookies([{ name, value, url: site.url, sameSite: "Strict" }]);
  const page = await context.newPage();
  const messages: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") messages.push(message.text());
  });
  page.on("pageerror", (error) => messages.push(String(error)));
  await page.goto(`/admin${path}`);
  await page.locator("#main").waitFor();
  return { page, messages, close: () => context.close() };
}

// What differs between the colour schemes: with all pairings everything else is checked once, in the light one.
const SCHEME_RULES = ["color-contrast", "link-in-text-block"];

/** Fails on violations of accessibility rules and on sideways scrolling; `SHOTS` names a folder. */
export function assertAccessible(page: Page, name: string): Promise<void> {
  return checkPage(page, name, hasAllPairings ? SCHEME_RULES : null);
}

/** The same with every rule in both schemes, for a view that is opened in one of them. */
export function checkAccessible(page: Page, name: string): Promise<void> {
  return checkPage(page, name, null);
}

async function checkPage(
  page: Page,
  name: string,
  darkRules: readonly string[] | null,
): Promise<void> {
  const shots = process.env["SHOTS"];
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const isDark =
    darkRules !== null &&
    (await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches"));
  const options = {
    resultTypes: ["violations"],
    // The theme in the preview has tests of its own, and no script runs in it.
    iframes: false,
    preload: false,
    ...(isDark && { runOnly: { type: "rule", values: darkRules } }),
  };
  const found = await page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' | ').slice(0, 300)))`,
  );
  assert.deepEqual(found, [], name);
  const overflow = await page.evaluate<boolean>(
    "document.documentElement.scrollWidth > innerWidth",
  );
  assert.equal(overflow, false, `${name} scrolls sideways`);
  assert.deepEqual(await page.evaluate(layersBesideScreen), [], `${name}: beside the screen`);
}

/** Runs in the browser. Open menus and dialogs that begin or end beside the screen, which nothing scrolls to. */
function layersBesideScreen(): string[] {
  const layers = document.querySelectorAll("details[open] > .more-menu, [role=menu], dialog[open]");
  return [...layers]
    .filter((layer) => {
      const { left, right, width } = layer.getBoundingClientRect();
      return width > 0 && (left < 0 || right > document.documentElement.clientWidth);
    })
    .map((layer) => layer.className || layer.tagName);
}

/** Renews a picture in the docs of the panel, when `PICTURES` is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env["PICTURES"]) return;
  const shot = sharp(await page.screenshot())
    .resize(960)
    .png({ palette: true, colours: 64 });
  await shot.toFile(join(repository, "content/03.write/01.panel", `${name}.png`));
}
