// The outcome of a soak: verdict, section of bench/RESULTS.md and graphs.
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { machine, median, table, writeSection } from "../../bench/support/report.js";
import { drawGraphs } from "./graphs.js";
import type { Tick } from "./interval.js";
import type { Sample } from "./samples.js";

const graphs = fileURLToPath(
  new URL("../../content/07.design/04.how-far-it-goes/soak.svg", import.meta.url),
);
const TICKS_PER_MINUTE = 6;
const P99_MS = 100;
const GROWTH = 1.05;
/** Sockets and files of background work that may be open at any time. */
const SPARE_DESCRIPTORS = 5;

/** A whole run. */
export interface Soak {
  readonly connections: number;
  /** Requests per second at full speed, and during the run. */
  readonly capacity: number;
  readonly rate: number;
  readonly before: Sample;
  /** Some time after the load ended. */
  readonly after: Sample;
  readonly ticks: readonly Tick[];
  /** Saves that were confirmed, and webhooks that arrived, when the load ended. */
  readonly saves: number;
  readonly delivered: number;
  /** Responses to the editor by kind and status. */
  readonly edits: Readonly<Record<string, number>>;
}

/** What does not hold; empty: everything does. */
export function problemsOf(soak: Soak): string[] {
  const { ticks, before, after, edits } = soak;
  const sum = summary(soak);
  const wrong = Object.entries(edits).filter(([name]) => !/ 20\d$/.test(name));
  const problems: readonly (readonly [boolean, string])[] = [
    [sum.failed > 0, `${sum.failed} unexpected responses, or none: ${examples(ticks)}`],
    [wrong.length > 0, `the editor saw ${wrong.map(([name, n]) => `${n} × ${name}`).join(", ")}`],
    [sum.p99 > P99_MS, `p99 is ${sum.p99.toFixed(0)} ms, above ${P99_MS} ms`],
    [sum.growth > GROWTH, `memory grew to ${sum.growth.toFixed(2)} times that of the tenth minute`],
    // Not a number without a collection in both: nothing is shown then.
    [
      !(sum.growthInUse <= GROWTH),
      `memory in use grew to ${sum.growthInUse.toFixed(2)} times that of the tenth minute`,
    ],
    [
      after.descriptors > before.descriptors + SPARE_DESCRIPTORS,
      `${after.descriptors} descriptors are open, ${before.descriptors} before`,
    ],
    [after.temporaries > 0, `${after.temporaries} temporary files were left`],
    [soak.delivered < soak.saves, `${soak.saves} saves, ${soak.delivered} webhooks`],
  ];
  return problems.filter(([isWrong]) => isWrong).map(([, text]) => text);
}

function examples(ticks: readonly Tick[]): string {
  return [...new Set(ticks.flatMap(({ failed }) => failed))].slice(0, 5).join(", ");
}

function summary({ ticks }: Soak) {
  const of = (pick: (tick: Tick) => number): number[] => ticks.map(pick);
  const total = (pick: (tick: Tick) => number): number => of(pick).reduce((a, b) => a + b, 0);
  const tenth = ticks.slice(9 * TICKS_PER_MINUTE, 10 * TICKS_PER_MINUTE);
  const early = tenth.length > 0 ? tenth : ticks.slice(0, TICKS_PER_MINUTE);
  const late = ticks.slice(-10 * TICKS_PER_MINUTE);
  const memory = (some: readonly Tick[]): number => median(some.map(({ megabytes }) => megabytes));
  // What is left after V8's own collections; resident memory swings between them.
  const inUse = (some: readonly Tick[]): number => median(some.flatMap((tick) => tick.inUse));
  return {
    requests: total(({ requests }) => requests),
    failed: total(({ errors }) => errors),
    p50: median(of(({ p50 }) => p50)),
    // Of the intervals: the median, and the worst.
    p99: median(of(({ p99 }) => p99)),
    worstP99: Math.max(...of(({ p99 }) => p99)),
    bareP99: median(of(({ bareP99 }) => bareP99)),
    cores: total(({ cores }) => cores) / ticks.length,
    early: memory(early),
    late: memory(late),
    earlyUsed: inUse(early),
    lateUsed: inUse(late),
    growth: memory(late) / memory(early),
    growthInUse: inUse(late) / inUse(early),
  };
}

/** The outcome as Markdown. */
export function describeSoak(soak: Soak): string {
  const sum = summary(soak);
  const { before, after, ticks } = soak;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const rows = [
    ["time", `${(ticks.length / TICKS_PER_MINUTE).toFixed(0)} minutes`],
    ["connections", String(soak.connections)],
    ["requests", `${sum.requests}, ${soak.rate.toFixed(0)}/s of ${soak.capacity.toFixed(0)}/s`],
    ["unexpected responses (5xx, 4xx but the missing page), or none", String(sum.failed)],
    ["latency, p50", ms(sum.p50)],
    ["latency, p99: median of 10 s, worst 10 s", `${ms(sum.p99)}, ${ms(sum.worstP99)}`],
    ["`node:http` beside it, p99", ms(sum.bareP99)],
    ["processor cores of the site", sum.cores.toFixed(2)],
    ["memory in minute 10, in the last ten minutes", `${mb(sum.early)}, ${mb(sum.late)}`],
    ["of it in use after each full collection", `${mb(sum.earlyUsed)}, ${mb(sum.lateUsed)}`],
    ["descriptors before, 75 s after", `${before.descriptors}, ${after.descriptors}`],
    ["temporary files left", String(after.temporaries)],
    ["saves, webhooks that arrived", `${soak.saves}, ${soak.delivered}`],
    [
      "editor",
      Object.entries(soak.edits)
        .map(([name, n]) => `${n} × ${name}`)
        .join(", "),
    ],
  ];
  return table(["Soak", "Value"], rows);
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}

/** Writes the section `soak` of bench/RESULTS.md and the graphs of the documentation. */
export async function writeSoak(soak: Soak): Promise<void> {
  const load = loadavg().map((value) => value.toFixed(1));
  const problems = problemsOf(soak).map((problem) => `- does not hold: ${problem}\n`);
  await writeSection(
    "soak",
    `## Soak\n\n${machine()}, load average ${load.join(" ")} at the end; visitors, editor and site on one machine, with the variables of "Deployment" in the documentation.\n\n${describeSoak(soak)}\n\n${problems.join("")}`,
  );
  await writeFile(graphs, drawGraphs(soak.ticks));
}
