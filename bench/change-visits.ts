/** What visitors notice of changes: requests to the site and to bare `node:http` by turns. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { recordAnswers } from "./record-answers.js";
import { median, short, table } from "./report.js";
import { startServer } from "./server-process.js";

// Like a site that is visited, not one that is attacked.
export const everyMs = 5;
const warmUpMs = 3_000;
/** The site under measurement. */
export interface VisitedSite {
  url: string;
  root: string;
  /** What its main thread and its collector did in one piece since the last call, longest first, in ms. */
  turns(): Promise<{ turns: readonly number[]; pauses: readonly number[] }>;
}
/** What was noticed in a stretch: milliseconds of each request, and what the site did in one piece. */
export interface Visited {
  name: string;
  ofBare: readonly number[];
  ofSite: readonly number[];
  turns: readonly number[];
  pauses: readonly number[];
}
/** A stretch of time in which the site is visited. */
export interface Stretch {
  name: string;
  forMs: number;
  /** What happens meanwhile. */
  meanwhile(): Promise<void>;
}

/** Visits the site and `node:http` in each stretch. */
export async function visit(
  site: VisitedSite,
  paths: readonly string[],
  stretches: readonly Stretch[],
): Promise<Visited[]> {
  const answers = join(site.root, "answers.json");
  writeFileSync(answers, JSON.stringify(await recordAnswers(site.url, paths)));
  const bare = await startServer(["bench/http-raw-server.mjs", answers]);
  const visitor = fork(fileURLToPath(new URL("change-visitor.mjs", import.meta.url)), {
    execArgv: [],
  });
  const origins = [bare.url, site.url];
  try {
    await timesOf(visitor, { origins, paths, everyMs, forMs: warmUpMs });
    const visited: Visited[] = [];
    for (const { name, forMs, meanwhile } of stretches) {
      await site.turns();
      const asked = timesOf(visitor, { origins, paths, everyMs, forMs });
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
  if (!isTimes(times)) throw new Error(`the visitor tells ${JSON.stringify(times)}`);
  return times;
}

function isTimes(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((times) => Array.isArray(times));
}

/** The stretches as a table, and whether the slowest request stayed within twice the median. */
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
