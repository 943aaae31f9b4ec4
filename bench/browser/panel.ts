/**
 * The panel's editor in Chromium, its processor slowed down four times: how long until typing is possible,
 * and how long a keystroke takes in a page of 5,000 words. On a busy machine the processor time says more:
 * that of the page's main thread at full speed, times four.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import sharp from "sharp";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../plugins/main.js";
import { startChromium } from "../../scripts/services/chromium.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const SLOWER = 4;
const ROUNDS = 5;
const KEYS = 60;
const PARAGRAPHS = 100;
const WORDS = 50;
const PATH = "01.long/default.md";
/** The same words with pictures and tables between them. */
const RICH_PATH = "02.rich/default.md";
const PICTURES = 40;
const TABLES = 10;
const plugins =
  "admin content flex health history markdown media outbound panel render search security session users webhooks cache check".split(
    " ",
  );
const login = { username: "bench", password: "correct horse battery" };

/** Paragraphs with headings, links, lists and emphasis between them. */
function longText(): string {
  const words = "harbour boats leave early **today** when the [tide](/tide) turns `slowly`".split(
    " ",
  );
  const parts = Array.from({ length: PARAGRAPHS }, (_, part) => {
    const text = Array.from({ length: WORDS }, (_, at) => words[(part + at) % words.length]);
    const head = part % 5 === 0 ? `## Part ${part}\n\n- one\n- two\n\n` : "";
    return head + text.join(" ");
  });
  return `---\ntitle: Long\n---\n${parts.join("\n\n")}\n`;
}

/** The long text, with pictures and tables of five rows behind its paragraphs. */
function richText(): string {
  const row = "| boats | leave | **early** |\n";
  const table = `| A | B | C |\n| --- | --- | --- |\n${row.repeat(5)}`;
  const parts = longText().split("\n\n");
  const withPictures = parts.flatMap((part, at) => [
    part,
    ...(at > 0 && at <= PICTURES ? ["![A boat](boat.png)"] : []),
    ...(at > 0 && at % 10 === 0 && at <= TABLES * 10 ? [table.trim()] : []),
  ]);
  return withPictures.join("\n\n");
}

async function serve(root: string): Promise<{ site: Site; url: string; cookie: string }> {
  await mkdir(join(root, "content/01.long"), { recursive: true });
  await mkdir(join(root, "content/02.rich"), { recursive: true });
  await writeFile(join(root, "content", RICH_PATH), richText());
  await writeFile(join(root, "content/02.rich/boat.png"), await boat());
  await writeFile(join(root, "site.yaml"), "title: Bench\n");
  await writeFile(join(root, "content", PATH), longText());
  const site = await createSite(root, {
    firstParty,
    selection: plugins,
    env: createEnv({ SITE_ENV: "production" }),
    log: silentLog,
  });
  const port = await site.listen(0);
  await site.ready;
  const url = `http://127.0.0.1:${port}`;
  const users = site.use("users");
  const account = { email: "bench@example.org", username: login.username, provider: "local" };
  const { id } = await users.create({ ...account, roles: ["admin"] });
  await users.setPassword(id, login.password);
  const answer = await fetch(`${url}/admin/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(login),
  });
  return { site, url, cookie: answer.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}

function boat(): Promise<Buffer> {
  const background = { r: 30, g: 90, b: 140 };
  return sharp({ create: { width: 800, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
}

interface Opened {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Milliseconds from the request of the page until the text can be edited. */
  readonly editableMs: number;
}

/** Opens the editor in a browser without cached files. */
async function open(
  browser: Browser,
  { url, cookie }: { url: string; cookie: string },
  rate: number,
  path = PATH,
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    bypassCSP: true,
  });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url, sameSite: "Strict" }]);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate });
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (document.querySelector(".cm-content[contenteditable=true]") === null) return;
    observer.disconnect();
    globalThis.editableMs = performance.now();
  }).observe(document, { childList: true, subtree: true });`);
  await page.goto(`${url}/admin/edit/${path}`);
  await page.waitForFunction("globalThis.editableMs !== undefined");
  const editableMs = await page.evaluate<number>("globalThis.editableMs");
  return { page, cdp, editableMs };
}

/** Milliseconds of each keystroke until the next frame is drawn, and of the main thread per keystroke. */
async function type({ page, cdp }: Opened): Promise<{ frames: number[]; threadMs: number }> {
  await page.locator(".toolbar").first().waitFor();
  await page.locator(".cm-line", { hasText: "Part 0" }).first().click();
  await page.keyboard.press("End");
  await page.evaluate(`globalThis.frames = [];
    addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => globalThis.frames.push(performance.now() - timeStamp);
      port2.postMessage(0);
    }), { capture: true });`);
  const before = await threadSeconds(cdp);
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? "Space" : "x");
    await page.waitForFunction(`globalThis.frames.length > ${key}`);
  }
  const threadMs = ((await threadSeconds(cdp)) - before) * 1_000;
  return { frames: await page.evaluate<number[]>("globalThis.frames"), threadMs: threadMs / KEYS };
}

async function threadSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

async function run(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "bench-panel-"));
  const { site, ...address } = await serve(root);
  const browser = await startChromium();
  // The first start compiles the browser code.
  await fetch(`${address.url}/admin/edit/${PATH}`, { headers: { cookie: address.cookie } });
  const slow: number[] = [];
  const full: { editable: number[]; thread: number[] } = { editable: [], thread: [] };
  const frames: number[] = [];
  const rich: { frames: number[]; thread: number[] } = { frames: [], thread: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const slowed = await open(browser, address, SLOWER);
    slow.push(slowed.editableMs);
    frames.push(...(await type(slowed)).frames);
    await slowed.page.context().close();
    const opened = await open(browser, address, 1);
    full.editable.push((await threadSeconds(opened.cdp)) * 1_000 * SLOWER);
    full.thread.push((await type(opened)).threadMs * SLOWER);
    await opened.page.context().close();
    const richest = await open(browser, address, 1, RICH_PATH);
    await richest.page.locator(".md-table, .md-figure").first().waitFor();
    const typed = await type(richest);
    rich.frames.push(...typed.frames);
    rich.thread.push(typed.threadMs);
    await richest.page.context().close();
  }
  await browser.close();
  await site.close();
  await rm(root, { recursive: true, force: true });
  await report({ slow, frames, rich, full });
}

async function report(found: {
  slow: number[];
  frames: number[];
  /** At full speed, in the page with pictures and tables. */
  rich: { frames: number[]; thread: number[] };
  full: { editable: number[]; thread: number[] };
}): Promise<void> {
  const { slow, frames, rich, full } = found;
  const percentile = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
  const load = loadavg().map(short).join(", ");
  const rows = [
    [
      "until typing is possible, without cached files",
      "1000",
      ...[median(slow), median(full.editable)].map(short),
    ],
    [
      "a keystroke until its frame, median",
      "50",
      short(median(frames)),
      short(median(full.thread)),
    ],
    ["a keystroke until its frame, 95th percentile", "50", short(percentile(frames)), "-"],
    [
      `a keystroke until its frame with ${PICTURES} pictures and ${TABLES} tables, at full speed, 95th percentile`,
      "50",
      short(percentile(rich.frames)),
      short(median(rich.thread) * SLOWER),
    ],
  ];
  const about = `${machine()}, load ${load}. Chromium with a processor slowed down ${SLOWER} times, a page of ${PARAGRAPHS * WORDS} words, medians of ${ROUNDS} rounds of ${KEYS} keys. The last column is the processor time of the page's main thread at full speed, times ${SLOWER}: it does not grow with the load of the machine.`;
  const head = ["", "limit, ms", "measured, ms", "processor time × 4, ms"];
  await writeSection("panel", `## The panel's editor\n\n${about}\n\n${table(head, rows)}`);
}

await runAsScript(import.meta.url, run);
