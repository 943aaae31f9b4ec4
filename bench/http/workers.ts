/**
 * One process against two workers, and against two processes that share nothing: the latter is what two cores can
 * do at all. Code is compiled by use, in each process by itself, so each has had the same number of requests
 * before it is measured.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../scripts/services/server-process.js";
import { writeContent } from "../support/content-files.js";
import { requestAll } from "./plain-client.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { cpuOf, pssOf, rssOf } from "../support/server-process.js";
import { KINDS, PAGES, pathsOf, type Kind } from "./workers-paths.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const CONNECTIONS = 32;
/** Background work after the start. */
const SETTLE_MS = 5_000;
const bin = fileURLToPath(new URL("../../kernel/cli/bin.mjs", import.meta.url));
const SET_UPS = ["one", "workers", "processes"] as const;
type SetUp = (typeof SET_UPS)[number];

/** One kind of work on one set-up. */
interface Run {
  readonly perSecond: number;
  /** CPU of all processes of the servers per request, in ms. */
  readonly cpuMs: number;
  /** Share of both cores that the generator used. */
  readonly generatorShare: number;
}
/** Memory of the largest process that serves, in MB; `pss`: shared pages count in parts. */
interface Memory {
  readonly rss: number;
  readonly pss: number;
}
type Measured = Readonly<Record<Kind, Run>> & { readonly ready: Memory; readonly after: Memory };

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  /** Processes that respond to requests. */
  readonly serving: readonly number[];
}

async function measure(roots: readonly string[], workers: number): Promise<Measured> {
  const servers: Server[] = [];
  for (const root of roots) servers.push(await start(root, workers));
  const processes = servers.flatMap(({ serving }) => serving);
  const ready = memoryOf(processes);
  const runs = new Map<Kind, Run>();
  for (const kind of KINDS) {
    await load(servers, pathsOf(kind, "before", processes.length));
    runs.set(kind, await load(servers, pathsOf(kind, "measured", processes.length)));
  }
  const after = memoryOf(processes);
  for (const { child } of servers) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  const of = (kind: Kind): Run => {
    const run = runs.get(kind);
    if (run === undefined) throw new Error(`${kind} was not measured`);
    return run;
  };
  return { pages: of("pages"), searches: of("searches"), lists: of("lists"), ready, after };
}

async function start(root: string, workers: number): Promise<Server> {
  for (const name of [".dune", "cache"]) rmSync(join(root, name), { recursive: true, force: true });
  const port = await freePort();
  const words = ["serve", "--root", root, "--port", String(port)];
  const more = workers > 1 ? ["--workers", String(workers)] : [];
  const child = spawn(process.execPath, [bin, ...words, ...more], { stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  await untilReady(port, workers);
  await delay(SETTLE_MS);
  const pid = child.pid ?? 0;
  return { child, port, serving: workers > 1 ? childrenOf(pid) : [pid] };
}

/** Ready in each worker: the last one listens some seconds after the first. */
async function untilReady(port: number, workers: number): Promise<void> {
  for (let good = 0; good < workers * 20;) {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    good = response?.status === 200 ? good + 1 : 0;
    await delay(50);
  }
}

async function load(servers: readonly Server[], paths: readonly string[]): Promise<Run> {
  const cpu = (): number => servers.reduce((sum, { child }) => sum + cpuOf(child.pid ?? 0), 0);
  const before = cpu();
  const own = process.cpuUsage();
  const began = performance.now();
  await Promise.all(
    servers.map(({ port }, nth) => {
      const part = paths.filter((_, at) => at % servers.length === nth);
      return requestAll(port, part, CONNECTIONS / servers.length);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(own);
  return {
    perSecond: paths.length / seconds,
    cpuMs: (cpu() - before) / 1_000 / paths.length,
    generatorShare: (user + system) / 1e6 / seconds / 2,
  };
}

function memoryOf(pids: readonly number[]): Memory {
  return { rss: Math.max(...pids.map(rssOf)), pss: Math.max(...pids.map(pssOf)) };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text.split(" ").map(Number);
}

async function main(): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "site-workers-"));
  const runs: Record<SetUp, Measured[]> = { one: [], workers: [], processes: [] };
  try {
    const [a, b] = prepare(base);
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.one.push(await measure([a], 1));
      runs.workers.push(await measure([a], 2));
      runs.processes.push(await measure([a, b], 1));
      console.log(JSON.stringify(SET_UPS.map((name) => runs[name].at(-1))));
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  await writeSection("workers", report(runs));
}

/** Two roots with the same content. */
function prepare(base: string): readonly [string, string] {
  const [a, b] = [join(base, "a"), join(base, "b")];
  writeContent(a, PAGES);
  // Each request is counted, none is rejected.
  const system = { server: { rate_limit: 1_000_000 }, logging: { level: "warn" } };
  writeFileSync(join(a, "system.yaml"), JSON.stringify(system));
  mkdirSync(b);
  for (const file of ["site.yaml", "system.yaml"]) copyFileSync(join(a, file), join(b, file));
  symlinkSync(join(a, "content"), join(b, "content"));
  return [a, b];
}

const NAMES: Readonly<Record<Kind, string>> = {
  pages: "pages, first time",
  searches: "searches, all different",
  lists: "one list of the API, cached",
};

function report(runs: Readonly<Record<SetUp, readonly Measured[]>>): string {
  const of = (setUp: SetUp, pick: (run: Measured) => number): number =>
    median(runs[setUp].map(pick));
  const rows = KINDS.map((kind) => {
    const rates = SET_UPS.map((setUp) => of(setUp, (run) => run[kind].perSecond));
    const [one = 0, workers = 0, processes = 0] = rates;
    const share = of("workers", (run) => run[kind].generatorShare);
    return [
      NAMES[kind],
      ...rates.map(short),
      `${short(workers / one)}×`,
      `${short(processes / one)}×`,
      SET_UPS.map((setUp) => short(of(setUp, (run) => run[kind].cpuMs))).join(" / "),
      `${Math.round(share * 100)} %`,
    ];
  });
  const head = [
    "work",
    "one process, per s",
    "two workers, per s",
    "two processes, per s",
    "workers : one (aim 1.8×)",
    "processes : one",
    "CPU ms per request: one / workers / processes",
    "generator's share of both cores",
  ];
  return `## Workers

${machine()}, load of the machine at the end ${loadavg().map(short).join(", ")}; medians of ${ROUNDS} interleaved rounds, each with fresh servers on ${PAGES} pages of 2 KB. Larger ones are left out: their Markdown is rendered on threads, so one process uses both cores for them. "Two processes" are two servers on two ports that share nothing but the machine: no set-up on these cores can be faster, so they show what the machine and the generator, which runs on the same cores, leave. Requests of the API are counted by the rate limiter, for workers in the primary process, whose CPU is included. Each process has had the same number of requests of a kind before it is measured.

${table(head, rows)}

${memoryTable(of)}`;
}

function memoryTable(of: (setUp: SetUp, pick: (run: Measured) => number) => number): string {
  const rows = (["ready", "after"] as const).flatMap((when) =>
    (["rss", "pss"] as const).map((kind) => {
      const [one, worker] = [
        of("one", (run) => run[when][kind]),
        of("workers", (run) => run[when][kind]),
      ];
      const name = `${kind.toUpperCase()}, ${when === "ready" ? "ready" : "after all requests"}`;
      return [name, short(one), short(worker), `${Math.round((worker / one) * 100)} %`];
    }),
  );
  return table(["memory, MB", "one process", "larger of two workers", "share (aim 60 %)"], rows);
}

await runAsScript(import.meta.url, main);
