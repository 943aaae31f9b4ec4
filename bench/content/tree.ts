/**
 * Large documentation (`npm run bench -- tree`): bytes of a page, CPU of the first page, of a save and of
 * `content:check`, before and after pages had only the entries around them, in the same run.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeTree } from "../support/content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { cpuOf, startServer, type ServerProcess } from "../support/server-process.js";

/** The last commit with the whole tree in each page. */
const BEFORE = "90349b56";
const SIZES = [3_000, 10_000];
const SAVE_LIMIT_MS = 60_000;
const SAVES = 5;
const AIMS = { bytes: 65_000, first: 0.3, save: 0.2, check: 15 };
const PAGE = "/part-1/group-2/page-3";
const FILE = "content/part-1/group-2/page-3.md";

/** Figures of one checkout and size; seconds of CPU. */
interface Measured {
  readonly side: string;
  readonly pages: number;
  readonly bytes: number;
  readonly first: number;
  readonly save: number;
  readonly check: number;
}

/** Measures both checkouts and writes the section `tree`. */
export async function main(sizes: readonly number[] = SIZES): Promise<void> {
  const own = fileURLToPath(new URL("../..", import.meta.url));
  const work = mkdtempSync(join(tmpdir(), "site-tree-"));
  const before = join(work, "before");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: own, stdio: "ignore" });
  git("worktree", "add", "--detach", before, BEFORE);
  try {
    symlinkSync(join(own, "node_modules"), join(before, "node_modules"));
    execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: before });
    const measured: Measured[] = [];
    for (const pages of sizes) {
      for (const [side, checkout] of [
        ["before", before],
        ["after", own],
      ] as const) {
        const root = join(work, `${side}-${pages}`);
        writeTree(root, pages);
        const figures = await measure(checkout, root);
        measured.push({ side, pages, ...figures });
        console.log(JSON.stringify(measured.at(-1)));
      }
    }
    await report(measured);
  } finally {
    git("worktree", "remove", "--force", before);
    rmSync(work, { recursive: true, force: true });
  }
}

async function measure(checkout: string, root: string): Promise<Omit<Measured, "side" | "pages">> {
  const check = await checkSeconds(checkout, root);
  // As after a first start: nothing is cached.
  for (const folder of [".dune", ".site"]) {
    if (existsSync(join(root, folder))) rmSync(join(root, folder), { recursive: true });
  }
  const server = await startServer([join(checkout, "bench/support/site-server.mjs"), root]);
  try {
    await settle(server);
    const from = server.cpu();
    const bytes = Buffer.byteLength(await read(server, PAGE));
    const first = (server.cpu() - from) / 1e6;
    const saves: number[] = [];
    for (let at = 0; at < SAVES; at += 1) saves.push(await saveSeconds(server, root, at));
    return { bytes, first, save: median(saves), check };
  } finally {
    await server.stop();
  }
}

/** From writing a file to the page with its text, in seconds of CPU. */
async function saveSeconds(server: ServerProcess, root: string, at: number): Promise<number> {
  await settle(server);
  const file = join(root, FILE);
  const text = readFileSync(file, "utf8");
  const before = server.cpu();
  writeFileSync(file, `${text}\nChange ${at}.\n`);
  const end = performance.now() + SAVE_LIMIT_MS;
  while (!(await read(server, PAGE)).includes(`Change ${at}.`)) {
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

async function checkSeconds(checkout: string, root: string): Promise<number> {
  const script = join(checkout, "bench/start/start-site.mjs");
  const child = spawn(process.execPath, [script, "content:check", "--root", root], {
    stdio: "ignore",
  });
  let cpu = 0;
  const sampling = setInterval(() => void (cpu = cpuOf(child.pid ?? 0)), 50);
  await once(child, "exit");
  clearInterval(sampling);
  return cpu / 1e6;
}

async function report(measured: readonly Measured[]): Promise<void> {
  const rows = measured.map(({ side, pages, bytes, first, save, check }) => [
    pages.toLocaleString("en"),
    side,
    bytes.toLocaleString("en"),
    ...[first, save, check].map(short),
  ]);
  const aims = [
    "aim",
    "",
    `≤ ${AIMS.bytes.toLocaleString("en")}`,
    AIMS.first,
    AIMS.save,
    AIMS.check,
  ];
  await writeSection(
    "tree",
    `## Large trees

${machine()}. Documentation of the preset \`docs\` in five parts, without numbers, with code; nothing cached before the start. "Before" is commit ${BEFORE}, in the same run. CPU in seconds: the first page after the start, once the server is idle; from saving a file until its page shows it, median of ${SAVES}; \`site content:check\`. The aims for CPU are for 3,000 pages.

${table(["pages", "", "bytes of a page", "first page", "a save", "content:check"], [...rows, aims.map(String)])}`,
  );
}

await runAsScript(import.meta.url, () => {
  const sizes = process.argv.slice(2).map(Number);
  return main(sizes.length > 0 ? sizes : SIZES);
});
