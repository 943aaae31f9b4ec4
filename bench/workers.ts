/**
 * One process against two workers on two cores: pages rendered for the first time, and searches that are never
 * the same. The load generator shares the cores, so its own CPU time is measured and reported, and so is what it
 * reaches with a server that does nothing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { freePort } from "../scripts/services/server-process.js";
import { generator, writeContent } from "./content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "./report.js";
import { cpuOf, pssOf, rssOf } from "./server-process.js";

/** A half of them is rendered before anything is measured. */
const PAGES = 10_000;
/** Requests of each kind. */
const REQUESTS = 5_000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const CONNECTIONS = 32;
/** Background work after the start. */
const SETTLE_MS = 5_000;
const bin = fileURLToPath(new URL("../kernel/cli/bin.mjs", import.meta.url));

/** One kind of work on one server. */
interface Run {
  readonly perSecond: number;
  /** CPU of the server per request, in ms. */
  readonly cpuMs: number;
  /** Share of both cores that the generator used. */
  readonly generatorShare: number;
}
/** One server. */
interface Measured {
  readonly render: Run;
  readonly search: Run;
  readonly ready: Memory;
  readonly after: Memory;
}
/** Memory of the process that serves, or of the largest worker, in MB; `pss`: shared pages count in parts. */
interface Memory {
  readonly rss: number;
  readonly pss: number;
}

async function measure(root: string, workers: number): Promise<Measured> {
  for (const name of [".dune", "cache"]) rmSync(join(root, name), { recursive: true, force: true });
  const port = await freePort();
  const words = ["serve", "--root", root, "--port", String(port)];
  const more = workers > 1 ? ["--workers", String(workers)] : [];
  const child = spawn(process.execPath, [bin, ...words, ...more], { stdio: "ignore" });
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  const url = `http://127.0.0.1:${port}`;
  const pid = child.pid ?? 0;
  await untilReady(url, workers);
  await delay(SETTLE_MS);
  const serving = workers > 1 ? childrenOf(pid) : [pid];
  const ready = memoryOf(serving);
  // Each process compiles its code by use: two of them need twice as much of it, once.
  await load(url, pid, pagePaths(REQUESTS));
  await load(url, pid, searchPaths());
  const render = await load(url, pid, pagePaths());
  const search = await load(url, pid, searchPaths());
  const after = memoryOf(serving);
  child.kill("SIGTERM");
  await once(child, "exit");
  process.removeListener("exit", end);
  return { render, search, ready, after };
}

/** Ready in each worker: the last one listens some seconds after the first. */
async function untilReady(url: string, workers: number): Promise<void> {
  for (let good = 0; good < workers * 20;) {
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    good = response?.status === 200 ? good + 1 : 0;
    await delay(50);
  }
}

async function load(url: string, pid: number, paths: readonly string[]): Promise<Run> {
  const cpu = cpuOf(pid);
  const own = process.cpuUsage();
  const began = performance.now();
  const result = await autocannon({
    ...{ url, connections: CONNECTIONS, amount: paths.length },
    requests: paths.map((path) => ({ path })),
  });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(own);
  if (result["2xx"] < paths.length) throw new Error(`${paths.length - result["2xx"]} failed`);
  return {
    perSecond: paths.length / seconds,
    cpuMs: (cpuOf(pid) - cpu) / 1_000 / paths.length,
    generatorShare: (user + system) / 1e6 / seconds / 2,
  };
}

function pagePaths(from = 0): string[] {
  return Array.from({ length: REQUESTS }, (_, index) => {
    const at = from + index;
    const section = String(Math.floor(at / 100) + 2).padStart(4, "0");
    return `/section-${section}/page-${at}`;
  });
}

/** Two words and a number that no other query has. */
function searchPaths(): string[] {
  const random = generator(Date.now());
  const words = ["site", "page", "folder", "index", "query", "media", "value", "image"];
  const word = (): string => words[Math.floor(random() * words.length)] ?? "site";
  return Array.from({ length: REQUESTS }, (_, at) => `/api/search?q=${word()}+${word()}+${at}x`);
}

/** Requests per second that the generator reaches with a server that sends a text of 8 KB. */
async function measureCeiling(): Promise<number> {
  const source = `require("http").createServer((_, to) => to.end("x".repeat(8192))).listen(process.argv[1], "127.0.0.1")`;
  const port = await freePort();
  const child = spawn(process.execPath, ["-e", source, String(port)], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(url).catch(() => null)) === null) await delay(50);
  const { perSecond } = await load(url, child.pid ?? 0, pagePaths());
  child.kill("SIGTERM");
  await once(child, "exit");
  return perSecond;
}

function memoryOf(pids: readonly number[]): Memory {
  return { rss: Math.max(...pids.map(rssOf)), pss: Math.max(...pids.map(pssOf)) };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text.split(" ").map(Number);
}

async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "site-workers-"));
  const runs = { one: new Array<Measured>(), two: new Array<Measured>() };
  const ceilings: number[] = [];
  try {
    writeContent(root, PAGES);
    const system = { server: { rate_limit: false }, logging: { level: "warn" } };
    writeFileSync(join(root, "system.yaml"), JSON.stringify(system));
    for (let round = 0; round < ROUNDS; round += 1) {
      ceilings.push(await measureCeiling());
      runs.one.push(await measure(root, 1));
      runs.two.push(await measure(root, 2));
      console.log(JSON.stringify([runs.one.at(-1), runs.two.at(-1)]));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  await writeSection("workers", report(runs, median(ceilings)));
}

function report({ one, two }: Record<"one" | "two", readonly Measured[]>, ceiling: number): string {
  const of = (runs: readonly Measured[], pick: (run: Measured) => number): number =>
    median(runs.map(pick));
  const kinds = { "pages, first time": "render", "searches, all different": "search" } as const;
  const rows = Object.entries(kinds).map(([name, kind]) => {
    const [single, double] = [
      of(one, (run) => run[kind].perSecond),
      of(two, (run) => run[kind].perSecond),
    ];
    const share = of(two, (run) => run[kind].generatorShare);
    return [
      name,
      short(single),
      short(double),
      `${short(double / single)}×`,
      `${short(of(one, (run) => run[kind].cpuMs))} / ${short(of(two, (run) => run[kind].cpuMs))}`,
      `${Math.round(share * 100)} %`,
      `${short(double / single / (1 - share))}×`,
    ];
  });
  const head = [
    "work",
    "one process, per s",
    "two workers, per s",
    "ratio",
    "CPU ms per request: one / two",
    "generator's share of both cores",
    "ratio without the generator",
  ];
  const memory = (["ready", "after"] as const).flatMap((when) =>
    (["rss", "pss"] as const).map((kind) => {
      const single = of(one, (run) => run[when][kind]);
      const worker = of(two, (run) => run[when][kind]);
      const name = `${kind.toUpperCase()}, ${when === "ready" ? "ready" : "after both"}`;
      return [name, short(single), short(worker), `${Math.round((worker / single) * 100)} %`];
    }),
  );
  const memoryHead = ["memory, MB", "one process", "larger of two workers", "share (aim 60 %)"];
  return `## Workers

${machine()}, load of the machine at the end ${loadavg().map(short).join(", ")}; medians of ${ROUNDS} interleaved rounds, each with a fresh server on ${PAGES} pages and ${REQUESTS} requests of each kind. The generator runs on the same two cores: with a bare \`node:http\` server it reaches ${short(ceiling)} requests per second. One process leaves it the other core; two workers share theirs with it, so the last column divides by what it left them.

${table(head, rows)}

${table(memoryHead, memory)}`;
}

await runAsScript(import.meta.url, main);
