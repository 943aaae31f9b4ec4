/**
 * `site serve` from spawn to ready, without and with the caches of an earlier start, compared with
 * a bare process that walks the tree, reads the same bytes and serves a request.
 */
import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeContent } from "../support/content-files.js";
import { measureContentIndex } from "./content-index.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { startUntilReady, type Started } from "./start-process.js";

const rounds = 5;
const requests = 200;

interface Measured {
  ms: number[];
  cpuMs: number[];
  ready: number[];
  used: number[];
  first: number[];
}

interface Tree {
  root: string;
  pages: number;
}

/** Measures trees of the given sizes and writes the section `start`. */
export async function main(sizes: readonly number[] = [1000, 10_000]): Promise<void> {
  const rows: string[][] = [];
  for (const pages of sizes) rows.push(...(await measureSize(pages)));
  const index = await measureContentIndex(sizes);
  await writeSection(
    "start",
    `## Start\n\n${machine()}, medians of ${rounds} interleaved rounds. From spawn to the first 200 of \`/health/ready\`, compiled, production, default plugins, search index included; cold: without \`.dune\`; warm: with the caches of the last run. The floor is a bare \`node\` process that walks the same tree, reads the same files with \`readFileSync\` and serves a request. CPU is user and system time of the process until it is ready. "First page" is the first HTML request, 100 ms after ready.\n\n${table(
      [
        "start",
        "ms",
        "floor ms",
        "ratio",
        "CPU ms",
        "CPU ratio",
        "RSS ready MB",
        `RSS after ${requests} requests MB`,
        "first page ms",
      ],
      rows,
    )}\n\nOnly the content index, in a running process, compared with \`readFileSync\` of the same files (paths known, no walk):\n\n${table(
      ["index", "ms", "floor ms", "ratio"],
      index.map(({ name, value, floor, ratio }) => [
        name,
        short(value),
        short(floor),
        times(ratio),
      ]),
    )}`,
  );
}

async function measureSize(pages: number): Promise<string[][]> {
  const root = mkdtempSync(join(tmpdir(), "site-start-"));
  try {
    writeContent(root, pages);
    age(root);
    const tree = { root, pages };
    const floor = empty();
    const cold = empty();
    const warm = empty();
    for (let round = 0; round < rounds; round += 1) {
      await measureFloor(tree, floor);
      rmSync(join(root, ".dune"), { recursive: true, force: true });
      await measureSite(tree, cold);
      await measureSite(tree, warm);
    }
    return [row(`cold, ${pages} pages`, cold, floor), row(`warm, ${pages} pages`, warm, floor)];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function row(name: string, measured: Measured, floor: Measured): string[] {
  const [ms, floorMs] = [median(measured.ms), median(floor.ms)];
  const [cpu, floorCpu] = [median(measured.cpuMs), median(floor.cpuMs)];
  return [
    name,
    short(ms),
    short(floorMs),
    times(ms / floorMs),
    short(cpu),
    times(cpu / floorCpu),
    short(median(measured.ready)),
    short(median(measured.used)),
    short(median(measured.first)),
  ];
}

function times(ratio: number): string {
  return `${short(ratio)}×`;
}

async function measureFloor({ root }: Tree, into: Measured): Promise<void> {
  const script = fileURLToPath(new URL("start-floor.mjs", import.meta.url));
  const started = await startUntilReady((port) => [script, root, String(port)], "/health/ready");
  note(started, into);
  await started.stop();
}

async function measureSite({ root, pages }: Tree, into: Measured): Promise<void> {
  const script = fileURLToPath(new URL("start-site.mjs", import.meta.url));
  const started = await startUntilReady(
    (port) => [script, "serve", "--root", root, "--port", String(port)],
    "/health/ready",
  );
  note(started, into);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const from = performance.now();
  await fetchText(started.url);
  into.first.push(performance.now() - from);
  for (let at = 0; at < requests; at += 1) {
    await fetchText(`${started.url}${pathOf((at * 37) % (pages - 1), at)}`);
  }
  into.used.push(started.rss());
  await started.stop();
}

function note(started: Started, into: Measured): void {
  into.ms.push(started.ms);
  into.cpuMs.push(started.cpuMs);
  into.ready.push(started.rss());
}

/** Pages, the API of pages, lists and searches in turn. */
function pathOf(page: number, at: number): string {
  const section = String(Math.floor(page / 100) + 2).padStart(4, "0");
  const route = `/section-${section}/page-${page}`;
  const paths = [
    route,
    `/api/pages${route}`,
    `/api/pages?offset=${page}&limit=20`,
    `/api/search?q=page+${page}`,
  ];
  return paths[at % paths.length] ?? route;
}

async function fetchText(url: string): Promise<void> {
  const answer = await fetch(url);
  await answer.text();
  // Lists and searches are rate limited; a 429 costs nothing.
  if (!answer.ok && answer.status !== 429) throw new Error(`${url} responds ${answer.status}`);
}

/** Sets the times of all files to the past, because very recent files are always read again. */
export function age(root: string): void {
  const past = new Date(Date.now() - 3_600_000);
  const content = join(root, "content");
  for (const file of readdirSync(content, { recursive: true, encoding: "utf8" })) {
    utimesSync(join(content, file), past, past);
  }
}

function empty(): Measured {
  return { ms: [], cpuMs: [], ready: [], used: [], first: [] };
}

await runAsScript(import.meta.url, () => {
  const sizes = process.argv.slice(2).map(Number);
  return sizes.length > 0 ? main(sizes) : main();
});
