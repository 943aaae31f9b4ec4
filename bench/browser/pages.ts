/**
 * What readers wait for: five kinds of pages of the documentation in Chromium on "throttled 4G" (150 ms round
 * trip, 1.6 Mbit/s, a processor four times slower), their weight, the search dialog, and the cost of search
 * with similar hits.
 */
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "playwright-core";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../plugins/main.js";
import { startChromium } from "../../scripts/services/chromium.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const ROUNDS = 5;
const WIDTH = 375;
const THROTTLED_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER = 4;
const PAGES: readonly (readonly [kind: string, path: string])[] = [
  ["landing page", "/"],
  ["documentation", "/build/search"],
  ["list of articles", "/blog"],
  ["article", "/blog/search-by-facets"],
  ["search results", "/search?q=search"],
];
const MIN_QUERIES = 200;
const KB = 1_024;

interface Loaded {
  readonly lcpMs: number;
  readonly cls: number;
  /** Bytes as transferred, without images. */
  readonly weight: number;
  /** Bytes of all scripts in brotli. */
  readonly scripts: number;
}

/** What a page transfers: bytes by request, and the address of each script. */
class Transfers {
  readonly #kinds = new Map<string, string>();
  readonly scripts = new Map<string, string>();
  weight = 0;

  constructor(cdp: CDPSession) {
    cdp.on("Network.responseReceived", ({ requestId, type, response }) => {
      this.#kinds.set(requestId, type);
      if (type === "Script") this.scripts.set(response.url, requestId);
    });
    cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (this.#kinds.get(requestId) !== "Image") this.weight += encodedDataLength;
    });
  }
}

async function brotliBytes(urls: Iterable<string>): Promise<number> {
  let sum = 0;
  for (const url of urls) {
    const text = await (await fetch(url)).text();
    sum += brotliCompressSync(text).length;
  }
  return sum;
}

async function open(browser: Browser, address: string): Promise<{ page: Page; cdp: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: WIDTH, height: 667 } });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", THROTTLED_4G);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript(`globalThis.measured = { lcp: 0, cls: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) measured.lcp = entry.startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.cls += entry.value;
    }).observe({ type: "layout-shift", buffered: true });`);
  await page.goto(address, { waitUntil: "commit" });
  return { page, cdp };
}

async function load(browser: Browser, address: string): Promise<Loaded> {
  const { page, cdp } = await open(browser, "about:blank");
  const transfers = new Transfers(cdp);
  await page.goto(address, { waitUntil: "networkidle" });
  const { lcp, cls } = await page.evaluate<{ lcp: number; cls: number }>("globalThis.measured");
  const scripts = await brotliBytes(transfers.scripts.keys());
  await page.context().close();
  return { lcpMs: lcp, cls, weight: transfers.weight, scripts };
}

/** Bytes in brotli of the files that only the search dialog needs. */
async function dialogBytes(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage();
  const loaded = new Set<string>();
  page.on("request", (request) => {
    if (/\/search-[a-z]+\.(js|css)/.test(request.url())) loaded.add(request.url());
  });
  await page.goto(address, { waitUntil: "networkidle" });
  await page.keyboard.press("Control+k");
  await page.locator(".search-dialog[open]").waitFor();
  await page.waitForLoadState("networkidle");
  await page.close();
  return brotliBytes(loaded);
}

/** The 99th percentile in ms of searches in this process, each for words that were not searched before. */
async function searches(site: Site): Promise<{ exact: number; similar: number; queries: number }> {
  const search = site.use("search");
  const words = new Set<string>();
  for await (const { body } of search.documents())
    for (const word of search.tools.tokenize(body)) if (/^[a-z]{6,12}$/.test(word)) words.add(word);
  const queries = [...words].slice(0, Math.max(MIN_QUERIES, words.size / 4));
  const request = { filters: { taxonomy: {}, facets: {} }, sort: "relevance", lang: null } as const;
  const ask = async (text: string, similar: boolean): Promise<number> => {
    const started = performance.now();
    await search.search(
      { ...request, text, similar, limit: 10, offset: 0, isCounted: false },
      { roles: null, seesUnpublished: false },
    );
    return performance.now() - started;
  };
  const typo = (word: string): string =>
    word.slice(0, 3) + (word[4] ?? "") + word[3] + word.slice(5);
  // The texts of the pages are read from disk by whichever search comes first: here neither of the two.
  for (const word of [...words].slice(queries.length)) {
    await ask(word, false);
    await ask(typo(word), true);
  }
  const [exact, similar]: [number[], number[]] = [[], []];
  for (const word of queries) {
    exact.push(await ask(word, false));
    similar.push(await ask(typo(word), true));
  }
  return { exact: p99(exact), similar: p99(similar), queries: queries.length };
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
}

async function run(): Promise<void> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const env = createEnv({ SITE_ENV: "production" });
  const site = await createSite(root, { firstParty, env, log: silentLog });
  const url = `http://127.0.0.1:${await site.listen(0)}`;
  await site.ready;
  const browser = await startChromium();
  const rows: string[][] = [];
  for (const [kind, path] of PAGES) {
    // The first request renders the page.
    await load(browser, url + path);
    const loads: Loaded[] = [];
    for (let round = 0; round < ROUNDS; round += 1) loads.push(await load(browser, url + path));
    const of = (pick: (one: Loaded) => number): string => short(median(loads.map(pick)));
    rows.push([
      `${kind}, \`${path}\``,
      of(({ weight }) => weight / KB),
      of(({ scripts }) => scripts / KB),
      of(({ lcpMs }) => lcpMs),
      of(({ cls }) => cls),
    ]);
  }
  const dialog = await dialogBytes(browser, `${url}/build/search`);
  await browser.close();
  const cost = await searches(site);
  await site.close();
  await report(rows, dialog, cost);
}

async function report(
  rows: string[][],
  dialog: number,
  { exact, similar, queries }: Awaited<ReturnType<typeof searches>>,
): Promise<void> {
  const about = `${machine()}, load ${loadavg().map(short).join(", ")}. Chromium at ${WIDTH} pixels, 150 ms round trip, 1.6 Mbit/s, a processor slowed down ${SLOWER} times, empty cache, medians of ${ROUNDS} loads. The weight is transferred bytes of all files but images; scripts are in brotli. The largest contentful paint (LCP) and the times of searches grow with the load of the machine: a load above the number of cores means that it was shared.`;
  const head = ["page", "weight, KB", "scripts, KB", "LCP, ms", "layout shift (CLS)"];
  const others = table(
    ["", "limit", "measured"],
    [
      ["files of the search dialog in brotli, KB", "6", short(dialog / KB)],
      [
        `search with similar hits for a mistyped word : exact search, 99th percentile of ${queries} words`,
        "3×",
        `${short(similar)} ms : ${short(exact)} ms = ${short(similar / exact)}×`,
      ],
    ],
  );
  await writeSection("pages", `## Pages\n\n${about}\n\n${table(head, rows)}\n\n${others}`);
}

await runAsScript(import.meta.url, run);
