/**
 * What images cost readers: an article with eight photos in Chromium on "throttled 4G", on a phone and on a
 * laptop, with plain images and with pictures in smaller formats.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../plugins/main.js";
import { startChromium } from "../../scripts/services/chromium.js";
import { photo } from "../support/photo.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const ROUNDS = 5;
const PHOTOS = 8;
const KB = 1_024;
const THROTTLED_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER = 4;
const SCREENS = [
  { name: "phone, 390 pixels at density 2", width: 390, height: 844, density: 2 },
  { name: "laptop, 1280 pixels at density 1", width: 1280, height: 800, density: 1 },
] as const;
type Screen = (typeof SCREENS)[number];

/** Loads what is shown lazily. */
const SCROLL = `(async () => {
  for (let y = 0; y < document.body.scrollHeight; y += 400) {
    scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 50));
  }
})()`;
const OBSERVE = `globalThis.measured = { lcp: 0, cls: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.lcp = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.cls += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;

interface Loaded {
  readonly images: number;
  readonly document: number;
  readonly lcpMs: number;
  readonly cls: number;
}

async function writeSite(root: string): Promise<void> {
  const folder = join(root, "content", "01.home");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, "site.yaml"), "title: Bench\nurl: http://localhost:8000\n");
  const parts = ["# Photos\n"];
  for (let at = 0; at < PHOTOS; at += 1) {
    writeFileSync(join(folder, `photo-${at}.jpg`), await photo(2400, 1600, at + 1));
    parts.push(`![Photo ${at}](photo-${at}.jpg)\n`, "Words about the photo. ".repeat(30));
  }
  writeFileSync(join(folder, "default.md"), parts.join("\n"));
}

async function startSite(root: string, isOn: boolean): Promise<{ site: Site; url: string }> {
  const images = { pictures: isOn, placeholders: isOn, cache_dir: `cache/${isOn ? "on" : "off"}` };
  const site = await createSite(root, {
    firstParty,
    log: silentLog,
    env: createEnv({ SITE_ENV: "production" }),
    overrides: { system: { images } },
  });
  const url = `http://127.0.0.1:${await site.listen(0)}`;
  await site.ready;
  return { site, url };
}

async function pageOf(browser: Browser, screen: Screen, isSlow: boolean): Promise<Page> {
  const { width, height, density } = screen;
  const viewport = { width, height };
  const context = await browser.newContext({ viewport, deviceScaleFactor: density });
  const page = await context.newPage();
  if (!isSlow) return page;
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", THROTTLED_4G);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return page;
}

async function load(page: Page, url: string): Promise<Loaded> {
  const bytes = { images: 0, document: 0 };
  const sizes: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    const add = async (): Promise<void> => {
      const { responseBodySize } = await request.sizes();
      if (request.resourceType() === "image") bytes.images += responseBodySize;
      if (request.resourceType() === "document") bytes.document += responseBodySize;
    };
    sizes.push(add());
  });
  await page.addInitScript(OBSERVE);
  await page.goto(url, { waitUntil: "networkidle" });
  const { lcp } = await page.evaluate<{ lcp: number }>("globalThis.measured");
  await page.evaluate(SCROLL);
  await page.waitForLoadState("networkidle");
  const { cls } = await page.evaluate<{ cls: number }>("globalThis.measured");
  await Promise.all(sizes);
  await page.context().close();
  return { ...bytes, lcpMs: lcp, cls };
}

/** Loads a page until all of its images are measured, and their files are generated. */
async function warm(browser: Browser, url: string, screen: Screen): Promise<void> {
  for (;;) {
    await load(await pageOf(browser, screen, false), url);
    const html = await (await fetch(url)).text();
    const images = html.match(/<img\b/g)?.length ?? 0;
    if (images === (html.match(/<picture>/g)?.length ?? 0)) break;
  }
  await load(await pageOf(browser, screen, false), url);
}

async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "bench-pictures-"));
  await writeSite(root);
  const plain = await startSite(root, false);
  const browser = await startChromium();
  const rows: string[][] = [];
  const before = new Map<Screen, Loaded[]>();
  for (const screen of SCREENS) {
    await load(await pageOf(browser, screen, false), plain.url);
    before.set(screen, await rounds(browser, screen, plain.url));
  }
  await plain.site.close();
  const pictures = await startSite(root, true);
  for (const screen of SCREENS) {
    await warm(browser, pictures.url, screen);
    const after = await rounds(browser, screen, pictures.url);
    rows.push(rowOf(screen.name, "plain", before.get(screen) ?? []));
    rows.push(rowOf(screen.name, "`<picture>`", after));
  }
  await pictures.site.close();
  await browser.close();
  rmSync(root, { recursive: true, force: true });
  const about = `${machine()}, load ${loadavg().map(short).join(", ")}. An article with ${PHOTOS} generated photos of 2400 × 1600 pixels (a browser gets them as JPEG without \`<picture>\`), in Chromium with 150 ms round trip, 1.6 Mbit/s, a processor slowed down ${SLOWER} times, empty cache, variants generated before; medians of ${ROUNDS} loads with all images scrolled into view. The bytes of photos from a camera differ: measure your own.`;
  const head = ["screen", "images", "images, KB", "document, KB", "LCP, ms", "layout shift (CLS)"];
  await writeSection("pictures", `## Images in pages\n\n${about}\n\n${table(head, rows)}`);
}

async function rounds(browser: Browser, screen: Screen, url: string): Promise<Loaded[]> {
  const loads: Loaded[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    loads.push(await load(await pageOf(browser, screen, true), url));
  return loads;
}

function rowOf(screen: string, kind: string, loads: readonly Loaded[]): string[] {
  const of = (pick: (one: Loaded) => number): string => short(median(loads.map(pick)));
  return [
    screen,
    kind,
    of(({ images }) => images / KB),
    of(({ document }) => document / KB),
    of(({ lcpMs }) => lcpMs),
    of(({ cls }) => cls),
  ];
}

await runAsScript(import.meta.url, run);
