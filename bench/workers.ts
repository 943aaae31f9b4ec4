/**
 * One process against two workers on two cores: pages rendered for the first time, and searches that are never
 * the same. The load generator shares the cores, so its own CPU time is measured and reported.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { freePort } from "../scripts/services/server-process.js";
import { generator, writeContent } from "./content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "./report.js";
import { cpuOf, rssOf } from "./server-process.js";

const PAGES = 5_000;
const SEARCHES = 5_000;
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
  /** Resident memory of the process that serves, or of the largest worker, in MB. */
  readonly megabytes: number;
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
  const render = await load(url, pid, pagePaths());
  const search = await load(url, pid, searchPaths());
  const megabytes = Math.max(...(workers > 1 ? childrenOf(pid) : [pid]).map(rssOf));
  child.kill("SIGTERM");
  await once(child, "exit");
  process.removeListener("exit", end);
  return { render, search, megabytes };
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

function pagePaths(): string[] {
  return Array.from({ length: PAGES - 1 }, (_, at) => {
    const section = String(Math.floor(at / 100) + 2).padStart(4, "0");
    return `/section-${section}/page-${at}`;
  });
}

/** Two words and a number that no other query has. */
function searchPaths(): string[] {
  const random = generator(Date.now());
  const words = ["site", "page", "folder", "index", "query", "media", "value", "image"];
  const word = (): string => words[Math.floor(random() * words.length)] ?? "site";
  return Array.from({ length: SEARCHES }, (_, at) => `/api/search?q=${word()}+${word()}+${at}x`);
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text.split(" ").map(Number);
}

async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "site-workers-"));
  const runs = { one: new Array<Measured>(), two: new Array<Measured>() };
  try {
    writeContent(root, PAGES);
    const system = { server: { rate_limit: false }, logging: { level: "warn" } };
    writeFileSync(join(root, "system.yaml"), JSON.stringify(system));
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.one.push(await measure(root, 1));
      runs.two.push(await measure(root, 2));
      console.log(JSON.stringify([runs.one.at(-1), runs.two.at(-1)]));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  await writeSection("workers", report(runs));
}

function report({ one, two }: Record<"one" | "two", readonly Measured[]>): string {
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
  const [single, worker] = [
    of(one, ({ megabytes }) => megabytes),
    of(two, ({ megabytes }) => megabytes),
  ];
  return `## Workers\n\n${machine()}; medians of ${ROUNDS} interleaved rounds, each with a fresh server on ${PAGES} pages. The generator runs on the same two cores. One process leaves it the other core; two workers share theirs with it, so the last column divides by what it left them.\n\n${table(head, rows)}\n\nMemory after both: ${short(single)} MB in one process, ${short(worker)} MB in the larger worker (${Math.round((worker / single) * 100)} %).`;
}

await runAsScript(import.meta.url, main);
