/**
 * One page changed among 10,000: the work until API and HTML show it, and what visitors notice of
 * it meanwhile.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeContent } from "./content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "./report.js";

const pages = 10_000;
const changesOfAKind = 12;
// The first of a kind run code that is not compiled yet.
const changesToWarmUp = 4;
const changesUnderLoad = 50;
// Long enough for the watches of 10,000 folders and the look at what they missed.
const settleMs = 6_000;
const warmUpMs = 3_000;
// One request every so many ms, like a site that is visited, not one that is attacked.
const everyMs = 5;

/** A running site and what it tells. */
interface Server {
  url: string;
  child: ChildProcess;
  root: string;
}
interface Told {
  event: string;
  cpu: number;
  port: number;
  turns: number[];
  routes: string[];
}
/** A way to change the tree; `text` is what a page shows afterwards, null when it is gone. */
interface Kind {
  name: string;
  change(server: Server, at: number): { route: string; text: string | null };
}

const kinds: readonly Kind[] = [
  { name: "text of a page", change: (server, at) => rewrite(server, at, "body") },
  { name: "title of a page", change: (server, at) => rewrite(server, at, "title") },
  { name: "page added", change: add },
  { name: "page deleted", change: remove },
];

/** Measures and writes the section `change`. */
export async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "site-change-"));
  try {
    writeContent(root, pages);
    const server = await start(root);
    try {
      const rows: string[][] = [];
      for (const kind of kinds) rows.push(await measureKind(server, kind));
      await report(rows, await measureLatency(server));
    } finally {
      server.child.disconnect();
      await once(server.child, "exit");
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function report(rows: string[][], latency: string[][]): Promise<void> {
  const work = table(["change", "CPU ms of the update", "CPU ms until shown", "most"], rows);
  const waits = table(
    [
      "requests",
      "median ms",
      "p99 ms",
      "slowest ms",
      "slowest : median",
      "longest turns of the server, CPU ms",
    ],
    latency,
  );
  await writeSection(
    "change",
    `## One page changed\n\n${machine()}, ${pages} pages. CPU of the server process from the change of the file: until the tree has taken it over ("of the update", the index of the search included as far as it is done by then), and until \`/api/pages/…\` and the page have been asked for and show it; medians of ${changesOfAKind} changes of a kind after ${changesToWarmUp} unmeasured ones, and the most. The file is seen after a quiet time of 50 ms, which costs nothing.\n\n${work}\n\nOne request every ${everyMs} ms for pages and lists, without changes and during ${changesUnderLoad} changes of a text, one every 100 ms. The last column is the processor time that the server used in one piece, at most: what a request could wait for, whatever else the machine does:\n\n${waits}`,
  );
}

async function start(root: string): Promise<Server> {
  const script = fileURLToPath(new URL("change-server.mjs", import.meta.url));
  const child = fork(script, [root], { execArgv: [] });
  const { port } = await told(child, "ready");
  await delay(settleMs);
  return { url: `http://127.0.0.1:${port}`, child, root };
}

/** The next message of a kind; with a route, of a change that names it: an earlier one may be late. */
function told(child: ChildProcess, event: string, route?: string): Promise<Told> {
  return new Promise((resolve) => {
    const listener = (message: unknown): void => {
      if (!isTold(message) || message.event !== event) return;
      if (route !== undefined && !message.routes.includes(route)) return;
      child.off("message", listener);
      resolve(message);
    };
    child.on("message", listener);
  });
}

function isTold(message: unknown): message is Told {
  return typeof message === "object" && message !== null && "event" in message;
}

async function measureKind(server: Server, kind: Kind): Promise<string[]> {
  const [updates, shown]: [number[], number[]] = [[], []];
  for (let at = 0; at < changesToWarmUp + changesOfAKind; at += 1) {
    const before = await cpuOf(server);
    const { route, text } = kind.change(server, at);
    const { cpu } = await told(server.child, "changed", route);
    updates.push((cpu - before) / 1000);
    await assertShown(server, `/api/pages${route}`, text);
    await assertShown(server, route, text);
    shown.push(((await cpuOf(server)) - before) / 1000);
    await delay(300);
  }
  const measured = shown.slice(changesToWarmUp);
  const update = median(updates.slice(changesToWarmUp));
  return [kind.name, short(update), short(median(measured)), short(Math.max(...measured))];
}

async function cpuOf({ child }: Server): Promise<number> {
  const answer = told(child, "cpu");
  child.send("cpu");
  return (await answer).cpu;
}

async function assertShown({ url }: Server, path: string, text: string | null): Promise<void> {
  const answer = await fetch(url + path);
  const body = await answer.text();
  const isRight = text === null ? answer.status === 404 : answer.ok && body.includes(text);
  if (!isRight) throw new Error(`${path} does not show the change: ${answer.status}`);
}

function fileOf({ root }: Server, page: number): { file: string; route: string } {
  const section = String(Math.floor(page / 100) + 2).padStart(4, "0");
  const file = join(root, `content/${section}.section-${section}/page-${page}/default.md`);
  return { file, route: `/section-${section}/page-${page}` };
}

function rewrite(server: Server, at: number, part: "body" | "title"): ReturnType<Kind["change"]> {
  const { file, route } = fileOf(server, 1000 + at * 7);
  const text = `${part}-${at}-changed`;
  const before = readFileSync(file, "utf8");
  const after =
    part === "body" ? `${before}\n${text}.\n` : before.replace(/^title: .*$/m, `title: ${text}`);
  writeFileSync(file, after);
  return { route, text };
}

function add(server: Server, at: number): ReturnType<Kind["change"]> {
  const { file, route } = fileOf(server, 2000 + at * 7);
  const added = {
    file: file.replace("/page-", "/added-"),
    route: route.replace("/page-", "/added-"),
  };
  mkdirSync(dirname(added.file), { recursive: true });
  writeFileSync(added.file, `---\ntitle: added-${at}-now\n---\nA new page.\n`);
  return { route: added.route, text: `added-${at}-now` };
}

function remove(server: Server, at: number): ReturnType<Kind["change"]> {
  const { file, route } = fileOf(server, 3000 + at * 7);
  rmSync(dirname(file), { recursive: true });
  return { route, text: null };
}

async function measureLatency(server: Server): Promise<string[][]> {
  await stream(server, warmUpMs);
  await turnsOf(server);
  const quiet = await stream(server, changesUnderLoad * 100);
  const quietTurns = await turnsOf(server);
  const [busy] = await Promise.all([stream(server, changesUnderLoad * 100), changeOften(server)]);
  return [
    row("without changes", quiet, quietTurns),
    row(`during ${changesUnderLoad} changes`, busy, await turnsOf(server)),
  ];
}

/** The longest turns since the last call, in ms of processor time. */
async function turnsOf({ child }: Server): Promise<number[]> {
  const answer = told(child, "turns");
  child.send("turns");
  return (await answer).turns;
}

async function changeOften(server: Server): Promise<void> {
  for (let at = 0; at < changesUnderLoad; at += 1) {
    rewrite(server, at, "body");
    await delay(100);
  }
}

function row(name: string, times: number[], turns: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  const [middle, slowest] = [median(times), sorted.at(-1) ?? 0];
  const longest = turns.map(short).join(", ");
  return [name, short(middle), short(p99), short(slowest), `${short(slowest / middle)}×`, longest];
}

/** Times of requests that start at fixed moments, whether earlier ones are answered or not. */
async function stream(server: Server, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const from = performance.now();
  for (let at = 0; at * everyMs < forMs; at += 1) {
    await delay(Math.max(0, from + at * everyMs - performance.now()));
    running.push(timeOf(server, at, times));
  }
  await Promise.all(running);
  return times;
}

async function timeOf(server: Server, at: number, times: number[]): Promise<void> {
  const { route } = fileOf(server, 5000 + (at % 40));
  const paths = [route, `/api/pages${route}`, "/api/pages?order=date:desc&limit=20", "/"];
  const from = performance.now();
  const answer = await fetch(server.url + (paths[at % paths.length] ?? "/"));
  await answer.arrayBuffer();
  times.push(performance.now() - from);
}

await runAsScript(import.meta.url, main);
