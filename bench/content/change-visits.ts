/** The effect of changes on visitors: interleaved requests to the site and to bare `node:http`. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { recordResponses } from "../support/record-responses.js";
import { median, short, table } from "../support/report.js";
import { startServer } from "../support/server-process.js";

// A moderate load.
export const INTERVAL_MS = 5;
const WARM_UP_MS = 3_000;
/** The measured site. */
export interface VisitedSite {
  url: string;
  root: string;
  /** The longest runs of the main thread and of the garbage collector since the last call, in ms. */
  turns(): Promise<{ turns: readonly number[]; pauses: readonly number[] }>;
}
/** Measurements of a phase: milliseconds of each request, and the longest runs of the site. */
export interface Visited {
  name: string;
  ofBare: readonly number[];
  ofSite: readonly number[];
  turns: readonly number[];
  pauses: readonly number[];
}
/** A phase with requests. */
export interface Phase {
  name: string;
  forMs: number;
  /** Runs meanwhile. */
  meanwhile(): Promise<void>;
}

/** Sends requests to the site and `node:http` in each phase. */
export async function visit(
  site: VisitedSite,
  paths: readonly string[],
  phases: readonly Phase[],
): Promise<Visited[]> {
  const answers = join(site.root, "answers.json");
  writeFileSync(answers, JSON.stringify(await recordResponses(site.url, paths)));
  const bare = await startServer(["bench/support/raw-server.mjs", answers]);
  const visitor = fork(fileURLToPath(new URL("change-visitor.mjs", import.meta.url)), {
    execArgv: [],
  });
  const origins = [bare.url, site.url];
  try {
    await timesOf(visitor, { origins, paths, everyMs: INTERVAL_MS, forMs: WARM_UP_MS });
    const visited: Visited[] = [];
    for (const { name, forMs, meanwhile } of phases) {
      await site.turns();
      const asked = timesOf(visitor, { origins, paths, everyMs: INTERVAL_MS, forMs });
      const [[ofBare = [], ofSite = []]] = await Promise.all([asked, meanwhile()]);
      const { turns, pauses } = await site.turns();
      visited.push({ name, ofBare, ofSite, turns, pauses });
    }
    return visited;
  } finally {
    visitor.disconnect();
    await bare.stop();
  }
}

interface Visits {
  origins: readonly string[];
  paths: readonly string[];
  everyMs: number;
  forMs: number;
}

/** Milliseconds of each request, by origin. */
async function timesOf(visitor: ChildProcess, visits: Visits): Promise<number[][]> {
  visitor.send(visits);
  const ended = once(visitor, "exit").then(([code]) => [`its end (${code})`]);
  const [times]: unknown[] = await Promise.race([once(visitor, "message"), ended]);
  if (!isTimes(times))
    throw new Error(`unexpected message of the visitor: ${JSON.stringify(times)}`);
  return times;
}

function isTimes(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((times) => Array.isArray(times));
}

/** The phases as a table, and whether the slowest request took at most twice the median. */
export function describeVisits(visited: readonly Visited[]): string {
  const rows = visited.flatMap(({ name, ofBare, ofSite, turns, pauses }) => [
    [`node:http ${name}`, ...cellsOf(ofBare), "", ""],
    [`the site ${name}`, ...cellsOf(ofSite), listOf(turns), listOf(pauses)],
  ]);
  const verdicts = visited.map(({ name, ofBare, ofSite }) => {
    const [bare, own] = [slowness(ofBare), slowness(ofSite)];
    return `${own <= 2 ? "reached" : "**not reached**"} ${name} (${short(own)}×; bare \`node:http\`, on the same machine at the same time, ${short(bare)}×)`;
  });
  const head = ["requests to", "median ms", "p99 ms", "slowest ms", "slowest : median"];
  const pieces = ["longest turns, ms", "longest collections, ms"];
  return `${table([...head, ...pieces], rows)}\n\nNo request slower than twice the median: ${verdicts.join("; ")}.`;
}

function slowness(times: readonly number[]): number {
  return Math.max(...times) / median(times);
}

function cellsOf(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  const ms = [median(times), p99, sorted.at(-1) ?? 0];
  return [...ms.map(short), `${short(slowness(times))}×`];
}

function listOf(ms: readonly number[]): string {
  return ms.map(short).join(", ");
}
