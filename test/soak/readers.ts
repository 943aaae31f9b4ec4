// Program: visitors with a connection each. Receives `{ url, bareUrl, connections, rate }` as its first message,
// `{ rate }` later, and sends a summary for each interval. `rate`: requests per second of all, null without limit.
import { Agent, get } from "node:http";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Interval } from "./interval.js";

const INTERVAL_MS = 10_000;
const PATIENCE_MS = 15_000;
const BARE_PAUSE_MS = 50;
const plan = z.object({
  url: z.string(),
  bareUrl: z.string(),
  connections: z.int(),
  rate: z.number().nullable(),
});

const words = "site page folder markdown content server plugin theme route query".split(" ");
/** The address that no page has. */
const MISSING = "/missing";
/** Allowed by default. */
const widths = [320, 640, 1024];
/** Requests of a turn: one of each kind below, the others are pages. */
const KINDS = 20;
let rate: number | null = null;
let connections = 0;
let tally = newTally();

function newTally() {
  return {
    // In µs. Sorting 85,000 numbers each time would stop all visitors for a tenth of a second.
    latencies: createHistogram(),
    bare: createHistogram(),
    errors: 0,
    statuses: new Map<number, number>(),
    failed: new Set<string>(),
  };
}

/** Mostly pages, as visitors read; searches that differ; lists, images, feeds, a missing page. */
function pathOf(at: number): string {
  const section = 2 + (at % 5);
  const page = (section - 2) * 100 + ((at * 7) % 99);
  const turn = Math.floor(at / KINDS);
  const kinds = [
    () => `/api/pages?limit=20&page=${1 + (turn % 20)}`,
    () => `/api/search?q=${words[turn % 10]}+${words[(turn * 3) % 10]}`,
    () => `/content-media/01.home/${turn % 2 === 0 ? "sea" : "hill"}.jpg?w=${widths[turn % 3]}`,
    () => "/feed.xml",
    () => MISSING,
    () => "/",
    () => `/search?q=${words[turn % 10]}`,
  ];
  const pick = kinds[at % KINDS];
  return pick?.() ?? `/section-${String(section).padStart(4, "0")}/page-${page}`;
}

function request(agent: Agent, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = get(address, { agent, timeout: PATIENCE_MS }, (response) => {
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    asked.on("timeout", () => asked.destroy(new Error("no response")));
    asked.on("error", reject);
  });
}

async function visit(url: string, nth: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The visitors begin one after the other.
  await delay(nth * 5);
  for (let at = nth; ; at += 1) {
    const began = performance.now();
    const path = pathOf(at);
    try {
      const status = await request(agent, url + path);
      record(tally.latencies, began);
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      if (status !== (path === MISSING ? 404 : 200)) {
        tally.errors += 1;
        tally.failed.add(`${status} ${path}`);
      }
    } catch (error) {
      tally.errors += 1;
      tally.failed.add(`${String(error)} ${path}`);
    }
    if (rate === null) continue;
    const pause = (connections / rate) * 1_000 * (0.5 + Math.random());
    await delay(Math.max(0, pause - (performance.now() - began)));
  }
}

/** The same process and machine, without the site: what a request costs in waiting alone. */
async function visitBare(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const began = performance.now();
    await request(agent, `${url}/`);
    record(tally.bare, began);
    await delay(BARE_PAUSE_MS);
  }
}

function report(): void {
  const { latencies, bare, errors, statuses, failed } = tally;
  tally = newTally();
  const interval: Interval = {
    seconds: INTERVAL_MS / 1_000,
    requests: latencies.count,
    errors,
    statuses: Object.fromEntries(statuses),
    failed: [...failed].slice(0, 10),
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    bareP99: percentile(bare, 99),
  };
  process.send?.(interval);
}

/** `began`: of `performance.now()`. */
function record(latencies: RecordableHistogram, began: number): void {
  latencies.record(Math.max(1, Math.round((performance.now() - began) * 1_000)));
}

/** In ms. */
function percentile(latencies: RecordableHistogram, share: number): number {
  return latencies.percentile(share) / 1_000;
}

process.once("message", (message) => {
  const { url, bareUrl, ...rest } = plan.parse(message);
  ({ rate, connections } = rest);
  for (let nth = 0; nth < connections; nth += 1) void visit(url, nth);
  void visitBare(bareUrl);
  setInterval(report, INTERVAL_MS);
  process.on("message", (next) => ({ rate } = plan.pick({ rate: true }).parse(next)));
});
process.on("disconnect", () => process.exit(0));
