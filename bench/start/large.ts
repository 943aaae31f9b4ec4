/**
 * One large tree (`npm run bench -- large`: 100,000 pages; `large.ts 1000000`): cold and warm starts
 * against the floor of bench/start/start.ts, memory, lists, one page changed, and the export.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { measureChanges, type Work } from "../content/change.js";
import { writeContent } from "../support/content-files.js";
import { deployedVariables } from "../support/deployed-variables.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { cpuOf, peakOf } from "../support/server-process.js";
import { age } from "./start.js";
import { startUntilReady, type Started } from "./start-process.js";

const LISTS = 40;
/** From ready to watched folders and saved caches. */
const SETTLE_MS = 30_000;
const SAMPLE_MS = 250;
const AIMS = { cold: 8, warm: 4, megabytes: 1_229, changeMs: 50 };

/** More pages need a larger heap than the documented one. */
const PAGES_OF_HEAP = 100_000;
const LARGE_HEAP = { NODE_OPTIONS: "--max-old-space-size=16000" };

/** A start, in seconds and MB. */
interface Start {
  readonly name: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly ready: number;
  readonly peak: number;
  readonly settled: number;
}

/** Measures one size and writes the section `large`, with a suffix for other sizes. */
export async function main(pages = 100_000, withExport = true): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "site-large-"));
  const variables = pages > PAGES_OF_HEAP ? LARGE_HEAP : deployedVariables();
  try {
    writeContent(root, pages);
    age(root);
    const floor = await measureFloor(root);
    const cold = await measureStart("cold", root, variables);
    const warm = await measureStart("warm", root, variables);
    const works = await measureChanges(root, { settleMs: SETTLE_MS, variables });
    note("changes", works);
    const exported = withExport ? await measureExport(root) : null;
    await report(pages, {
      floor,
      starts: [cold.start, warm.start],
      lists: warm.lists,
      works,
      exported,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function note(name: string, value: unknown): void {
  console.log(`${name}: ${JSON.stringify(value)}`);
}

async function measureFloor(root: string): Promise<number> {
  const script = fileURLToPath(new URL("start-floor.mjs", import.meta.url));
  const seconds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const started = await startUntilReady((port) => [script, root, String(port)], "/health/ready");
    await started.stop();
    seconds.push(started.ms / 1000);
  }
  return median(seconds);
}

async function measureStart(
  name: string,
  root: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ start: Start; lists: readonly number[] }> {
  const script = fileURLToPath(new URL("start-site.mjs", import.meta.url));
  const started = await startUntilReady(
    (port) => [script, "serve", "--root", root, "--port", String(port)],
    "/health/ready",
    variables,
  );
  const ready = started.rss();
  await delay(SETTLE_MS);
  const settled = started.rss();
  const lists = await measureLists(started);
  const peak = started.peak();
  await started.stop();
  const { ms, cpuMs } = started;
  const start = { name, seconds: ms / 1000, cpuSeconds: cpuMs / 1000, ready, settled, peak };
  note(name, start);
  return { start, lists };
}

/** CPU of uncached pages of a list, in ms: each offset is new. */
async function measureLists({ url, cpu }: Started): Promise<readonly number[]> {
  const costs: number[] = [];
  for (let at = 0; at < LISTS; at += 1) {
    const before = cpu();
    const response = await fetch(`${url}/api/pages?limit=20&order=date:desc&offset=${at * 997}`);
    const { items } = (await response.json()) as { items: readonly unknown[] };
    if (items.length !== 20) throw new Error(`a page of a list has ${items.length} items`);
    costs.push((cpu() - before) / 1000);
  }
  return costs;
}

/** What an export takes. */
interface Exported {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak of the resident memory of the process, with its threads. */
  readonly peak: number;
}

async function measureExport(root: string): Promise<Exported> {
  const script = fileURLToPath(new URL("start-site.mjs", import.meta.url));
  const from = performance.now();
  const child = spawn(process.execPath, [script, "build", "--static", "--json", "--root", root], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { pid = 0 } = child;
  let [peak, cpu] = [0, 0];
  const sampling = setInterval(() => {
    peak = Math.max(peak, peakOf(pid));
    cpu = cpuOf(pid);
  }, SAMPLE_MS);
  const [code] = await once(child, "exit");
  clearInterval(sampling);
  if (code !== 0) throw new Error(`the export ended with ${String(code)}`);
  const exported = { seconds: (performance.now() - from) / 1000, cpuSeconds: cpu / 1e6, peak };
  note("export", exported);
  return exported;
}

/** Everything measured for one size. */
interface Measured {
  readonly floor: number;
  readonly starts: readonly Start[];
  readonly lists: readonly number[];
  readonly works: readonly Work[];
  readonly exported: Exported | null;
}

async function report(pages: number, measured: Measured): Promise<void> {
  const { floor, starts, works, exported } = measured;
  const starting = starts.map((one) => [
    one.name,
    short(one.seconds),
    `${short(one.seconds / floor)}× (aim ${one.name === "cold" ? AIMS.cold : AIMS.warm}×)`,
    ...[one.cpuSeconds, one.ready, one.settled, one.peak].map(short),
  ]);
  const changing = works.map(({ name, updates, shown }) =>
    [name, ...[median(updates), median(shown), Math.max(...shown)].map(short)].map(String),
  );
  const ending =
    exported === null
      ? ""
      : `\n\nA first static export takes ${short(exported.seconds)} s (${short(exported.cpuSeconds)} s of CPU) and at most ${short(exported.peak)} MB of resident memory.`;
  const head = ["start", "s", "of the floor", "CPU s", "RSS ready MB", "after 30 s", "peak MB"];
  await writeSection(
    pages === 100_000 ? "large" : `large-${pages}`,
    `## ${pages.toLocaleString("en")} pages

${machine()}, load of the machine at the end ${loadavg().map(short).join(", ")}. One run with all default plugins, search included, ${pages > PAGES_OF_HEAP ? `and \`NODE_OPTIONS=${LARGE_HEAP.NODE_OPTIONS}\`` : "with the variables of the container file in the documentation"}; floor as in [Start](#start): ${short(floor)} s (median of three).

${table(head, starting)}

Aim for memory: ${AIMS.megabytes} MB. A page of \`/api/pages?order=date:desc\` with 20 items, each at a new offset: ${short(median(measured.lists))} ms of CPU.

${table(["change", "update, ms of CPU", "until shown, ms of CPU", "maximum"], changing)}

Aim until shown: ${AIMS.changeMs} ms.${ending}`,
  );
}

await runAsScript(import.meta.url, () => {
  const [pages] = process.argv.slice(2).map(Number);
  return main(pages, pages === undefined || pages <= 100_000);
});
