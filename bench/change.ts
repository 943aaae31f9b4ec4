/**
 * One page changed among 10,000: the work until API and HTML show it, and what visitors notice of
 * it meanwhile.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describeVisits, everyMs, visit, type Visited } from "./change-visits.js";
import { writeContent } from "./content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "./report.js";

const pages = 10_000;
const changesOfAKind = 20;
// The first of a kind run code that is not compiled yet.
const changesToWarmUp = 4;
const changesUnderLoad = 50;
const wantedMs = 50;
// Long enough, on a slow machine too, for the watches of 10,000 folders, the look at what they missed
// with the snapshot that follows it, and the index of the search, written ten seconds after it was built.
const settleMs = 20_000;

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
  pauses: number[];
  routes: string[];
}
/** A way to change the tree; `text` is what a page shows afterwards, null when it is gone. */
interface Kind {
  name: string;
  change(server: Server, at: number): { route: string; text: string | null };
}
/** Milliseconds of work for each change of a kind: until it is taken over, until it is shown. */
interface Work {
  name: string;
  updates: number[];
  shown: number[];
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
      const works: Work[] = [];
      for (const kind of kinds) works.push(await measureKind(server, kind));
      await report(works, await measureVisits(server));
    } finally {
      server.child.disconnect();
      await once(server.child, "exit");
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function report(works: readonly Work[], visits: readonly Visited[]): Promise<void> {
  const rows = works.map(({ name, updates, shown }) =>
    [name, ...[median(updates), median(shown), Math.max(...shown)].map(short)].map(String),
  );
  const all = works.flatMap(({ shown }) => shown);
  const within = all.filter((ms) => ms <= wantedMs).length;
  const load = loadavg().map(short).join(", ");
  await writeSection(
    "change",
    `## One page changed

${machine()}, ${pages} pages, load of the machine ${load}. Processor time of the server, the threads of its collector included, from the change of the file: until the tree has taken it over ("of the update", the index of the search included as far as it is done by then), and until \`/api/pages/…\` and the page have been asked for and show it; medians of ${changesOfAKind} changes of a kind after ${changesToWarmUp} unmeasured ones, and the most. The file is seen after a quiet time of 50 ms, which costs nothing.

${table(["change", "ms of the update", "ms until shown", "most"], rows)}

At most ${wantedMs} ms until it is shown: ${within === all.length ? "reached" : "**not reached**"}, by ${within} of ${all.length} changes.

A request to the site and one to \`node:http\`, which sends the same bytes, every ${everyMs} ms each, by turns and from a process that does nothing else: without changes and during ${changesUnderLoad} changes, one every 100 ms, of a text and of a title by turns. What client and machine add is in both rows of a pair. Turns are what the server did in one piece, at most; collections are the pauses for its garbage among them:

${describeVisits(visits)}`,
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

/** Asks the server for what it tells under a name. */
async function ask({ child }: Server, event: "cpu" | "turns"): Promise<Told> {
  const answer = told(child, event);
  child.send(event);
  return answer;
}

async function measureKind(server: Server, kind: Kind): Promise<Work> {
  const [updates, shown]: [number[], number[]] = [[], []];
  for (let at = 0; at < changesToWarmUp + changesOfAKind; at += 1) {
    const before = (await ask(server, "cpu")).cpu;
    const { route, text } = kind.change(server, at);
    const { cpu } = await told(server.child, "changed", route);
    updates.push((cpu - before) / 1000);
    await assertShown(server, `/api/pages${route}`, text);
    await assertShown(server, route, text);
    shown.push(((await ask(server, "cpu")).cpu - before) / 1000);
    await delay(300);
  }
  const measured = (all: number[]): number[] => all.slice(changesToWarmUp);
  return { name: kind.name, updates: measured(updates), shown: measured(shown) };
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

function measureVisits(server: Server): Promise<Visited[]> {
  const forMs = changesUnderLoad * 100;
  return visit({ ...server, turns: () => ask(server, "turns") }, visitedPaths(server), [
    { name: "without changes", forMs, meanwhile: () => delay(forMs) },
    { name: `during ${changesUnderLoad} changes`, forMs, meanwhile: () => changeOften(server) },
  ]);
}

/** Pages, single pages of the API, a list and home, as they are visited. */
function visitedPaths(server: Server): string[] {
  return Array.from({ length: 10 }, (_, at) => fileOf(server, 5000 + at).route).flatMap((route) => [
    ...[route, `/api/pages${route}`],
    ...["/api/pages?order=date:desc&limit=20", "/"],
  ]);
}

/** Texts and titles by turns: a title changes lists, too. */
async function changeOften(server: Server): Promise<void> {
  for (let at = 0; at < changesUnderLoad; at += 1) {
    rewrite(server, 100 + at, at % 2 === 0 ? "body" : "title");
    await delay(100);
  }
}

await runAsScript(import.meta.url, main);
