/** What visitors notice of changes: requests to the site and to bare `node:http` by turns. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { recordAnswers } from "./record-answers.js";
import { median, short } from "./report.js";
import { startServer } from "./server-process.js";

// Like a site that is visited, not one that is attacked.
export const everyMs = 5;
const warmUpMs = 3_000;
/** What the cells of a row are. */
export const visitColumns = [
  "requests to",
  "median ms",
  "p99 ms",
  "slowest ms",
  "slowest : median",
  "longest turns, ms",
  "longest collections, ms",
];

/** The site under measurement. */
export interface VisitedSite {
  url: string;
  root: string;
  /** What its main thread and its collector did in one piece since the last call, longest first, in ms. */
  turns(): Promise<{ turns: readonly number[]; pauses: readonly number[] }>;
}
/** A stretch of time in which the site is visited. */
export interface Stretch {
  name: string;
  forMs: number;
  /** What happens meanwhile. */
  meanwhile(): Promise<void>;
}

/** Visits the site in each stretch; rows of a table. */
export async function visit(
  site: VisitedSite,
  paths: readonly string[],
  stretches: readonly Stretch[],
): Promise<string[][]> {
  const answers = join(site.root, "answers.json");
  writeFileSync(answers, JSON.stringify(await recordAnswers(site.url, paths)));
  const bare = await startServer(["bench/http-raw-server.mjs", answers]);
  const visitor = fork(fileURLToPath(new URL("change-visitor.mjs", import.meta.url)), {
    execArgv: [],
  });
  const origins = [bare.url, site.url];
  try {
    await timesOf(visitor, { origins, paths, everyMs, forMs: warmUpMs });
    const rows: string[][] = [];
    for (const { name, forMs, meanwhile } of stretches) {
      await site.turns();
      const asked = timesOf(visitor, { origins, paths, everyMs, forMs });
      const [[ofBare = [], ofSite = []]] = await Promise.all([asked, meanwhile()]);
      const { turns, pauses } = await site.turns();
      rows.push(row(`node:http ${name}`, ofBare));
      rows.push(row(`the site ${name}`, ofSite, { turns, pauses }));
    }
    return rows;
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
  const [times]: unknown[] = await once(visitor, "message");
  if (!isTimes(times)) throw new Error(`the visitor tells ${JSON.stringify(times)}`);
  return times;
}

function isTimes(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((times) => Array.isArray(times));
}

function row(
  name: string,
  times: readonly number[],
  pieces: { turns: readonly number[]; pauses: readonly number[] } | null = null,
): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const [middle, slowest] = [median(times), sorted.at(-1) ?? 0];
  return [
    name,
    ...[middle, at(0.99), slowest].map(short),
    `${short(slowest / middle)}×`,
    pieces?.turns.map(short).join(", ") ?? "",
    pieces?.pauses.map(short).join(", ") ?? "",
  ];
}
