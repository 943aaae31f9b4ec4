/**
 * Large documentation (`npm run bench -- tree`): bytes of a page, CPU of the first page, of a save and of
 * `content:check`, in the sizes of the aims.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeTree } from "../support/content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { cpuOf, startServer, type ServerProcess } from "../support/server-process.js";

const SIZES = [3_000, 10_000];
const SAVE_LIMIT_MS = 60_000;
/** Caches of a site, below its root. */
const CACHE = ".dune/cache";
const SAVES = 5;
const SAMPLE_MS = 50;
const AIMS = { bytes: 65_000, first: 0.3, save: 0.2, check: 15 };
const PAGE = "/part-1/group-2/page-3";
/** A page that no earlier request has rendered. */
const OTHER_PAGE = "/part-2/group-3/page-5";
const SERVER = fileURLToPath(new URL("../support/site-server.mjs", import.meta.url));
const FILE = "content/part-1/group-2/page-3.md";

/** Figures of one size; seconds of CPU. */
interface Measured {
  readonly pages: number;
  readonly bytes: number;
  /** The first page once a first start has nothing left to do. */
  readonly firstIdle: number;
  /** The first page directly after a start with caches, with what the process does beside it. */
  readonly firstAtOnce: number;
  readonly save: number;
  readonly check: number;
}

/** The figures of a first start. */
type Cold = Pick<Measured, "bytes" | "firstIdle" | "save">;

/** Measures each size and writes the section `tree`. */
export async function main(sizes: readonly number[] = SIZES): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "site-tree-"));
  try {
    const measured: Measured[] = [];
    for (const pages of sizes) {
      const root = join(work, String(pages));
      writeTree(root, pages);
      measured.push({ pages, ...(await measure(root)) });
      console.log(JSON.stringify(measured.at(-1)));
    }
    await report(measured);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function measure(root: string): Promise<Omit<Measured, "pages">> {
  const cold = await startServer([SERVER, root]);
  let figures: Cold;
  try {
    figures = await measureCold(cold, root);
  } finally {
    await cold.stop();
  }
  const warm = await startServer([SERVER, root]);
  const from = warm.cpu();
  let firstAtOnce = 0;
  try {
    await read(warm, OTHER_PAGE);
    firstAtOnce = (warm.cpu() - from) / 1e6;
  } finally {
    await warm.stop();
  }
  return { ...figures, firstAtOnce, check: await checkSeconds(root) };
}

async function measureCold(server: ServerProcess, root: string): Promise<Cold> {
  await settle(server);
  const from = server.cpu();
  const bytes = Buffer.byteLength(await read(server, PAGE));
  const firstIdle = (server.cpu() - from) / 1e6;
  const saves: number[] = [];
  for (let at = 0; at < SAVES; at += 1) saves.push(await saveSeconds(server, root, at));
  return { bytes, firstIdle, save: median(saves) };
}

/** From writing a file to the page with its text, in seconds of CPU. */
async function saveSeconds(server: ServerProcess, root: string, at: number): Promise<number> {
  await settle(server);
  const file = join(root, FILE);
  const text = readFileSync(file, "utf8");
  const before = server.cpu();
  writeFileSync(file, `${text}\nChange-${at}-end\n`);
  const end = performance.now() + SAVE_LIMIT_MS;
  while (!(await read(server, PAGE)).includes(`Change-${at}-end`)) {
    if (performance.now() > end) throw new Error(`change ${at} of ${file} is not shown`);
    await delay(20);
  }
  return (server.cpu() - before) / 1e6;
}

/** Waits until the server uses no CPU for a second. */
async function settle(server: ServerProcess): Promise<void> {
  let [last, quiet] = [-1, 0];
  while (quiet < 4) {
    await delay(250);
    const cpu = server.cpu();
    quiet = cpu - last < 10_000 ? quiet + 1 : 0;
    last = cpu;
  }
}

async function read({ url }: ServerProcess, path: string): Promise<string> {
  const response = await fetch(url + path);
  if (response.status !== 200) throw new Error(`${path} responds with ${response.status}`);
  return response.text();
}

/** CPU of a check that has nothing cached, in seconds. */
async function checkSeconds(root: string): Promise<number> {
  rmSync(join(root, CACHE), { recursive: true, force: true });
  const script = fileURLToPath(new URL("../start/start-site.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, "content:check", "--root", root], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let cpu = 0;
  const sampling = setInterval(() => void (cpu = cpuOf(child.pid ?? 0)), SAMPLE_MS);
  const [code] = await once(child, "exit");
  clearInterval(sampling);
  if (code !== 0) throw new Error(`content:check ended with ${String(code)}`);
  return cpu / 1e6;
}

async function report(measured: readonly Measured[]): Promise<void> {
  const rows = measured.map(({ pages, bytes, firstIdle, firstAtOnce, save, check }) => [
    pages.toLocaleString("en"),
    bytes.toLocaleString("en"),
    short(firstIdle),
    short(firstAtOnce),
    short(save),
    short(check),
  ]);
  const { first, save, check } = AIMS;
  const aims = ["aim", `≤ ${AIMS.bytes.toLocaleString("en")}`, first, first, save, check];
  const head = [
    "pages",
    "bytes of a page",
    "first page, idle",
    "first page, at once",
    "a save",
    "content:check",
  ];
  await writeSection(
    "tree",
    `## Large trees

${machine()}, load of the machine at the end ${loadavg().map(short).join(", ")}. Documentation of the preset \`docs\` in five parts, without numbers, with six samples of code and six links with anchors a page; every second page has raw HTML, and a quarter of the pages must be rendered to find their anchors. CPU of the process in seconds: the first page of a first start, once the server is idle; the first page directly after a later start, with everything that the process does beside it; from saving a file until its page shows it, median of ${SAVES}; \`site content:check\` without caches. The aim for \`content:check\` is for 3,000 pages.

${table(head, [...rows, aims.map(String)])}`,
  );
}

await runAsScript(import.meta.url, () => {
  const sizes = process.argv.slice(2).map(Number);
  return main(sizes.length > 0 ? sizes : SIZES);
});
