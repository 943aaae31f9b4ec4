/**
 * One page changed among 10,000: the work until API and HTML show it, and the effect on requests
 * meanwhile.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describeVisits, INTERVAL_MS, visit, type Visited } from "./change-visits.js";
import { writeContent } from "../support/content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const PAGES = 10_000;
const CHANGES = 20;
// The first changes run code that is not yet optimised.
const WARM_UP_CHANGES = 4;
const CHANGES_UNDER_LOAD = 50;
const TARGET_MS = 50;
// Long enough, on a slow machine too, for the watches of 10,000 folders, the look at what they missed
// with the snapshot that follows it, and the index of the search, written ten seconds after it was built.
const SETTLE_MS = 20_000;

/** A running site. */
interface Server {
  url: string;
  child: ChildProcess;
  root: string;
}
interface Message {
  event: string;
  cpu: number;
  port: number;
  turns: number[];
  pauses: number[];
  routes: string[];
}
/** A kind of change; `text` is shown by the page afterwards, null if it was deleted. */
interface Kind {
  name: string;
  change(server: Server, at: number): { route: string; text: string | null };
}
/** A kind of change, with the milliseconds of work for each: until the index is updated, until the change is shown. */
export interface Work {
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
    writeContent(root, PAGES);
    const { works, visits } = await withServer(root, { settleMs: SETTLE_MS }, async (server) => ({
      works: await measureKinds(server),
      visits: await measureVisits(server),
    }));
    await report(works, visits);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The work of changes in a tree of `writeContent`, `settleMs` after its server is ready. */
export function measureChanges(root: string, options: ServerOptions): Promise<Work[]> {
  return withServer(root, options, measureKinds);
}

/** How a server is started. */
interface ServerOptions {
  /** From ready to the first change. */
  readonly settleMs: number;
  /** Environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

async function withServer<T>(
  root: string,
  options: ServerOptions,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const server = await start(root, options);
  try {
    return await work(server);
  } finally {
    server.child.disconnect();
    await once(server.child, "exit");
  }
}

async function measureKinds(server: Server): Promise<Work[]> {
  const works: Work[] = [];
  for (const kind of kinds) works.push(await measureKind(server, kind));
  return works;
}

async function report(works: readonly Work[], visits: readonly Visited[]): Promise<void> {
  const rows = works.map(({ name, updates, shown }) =>
    [name, ...[median(updates), median(shown), Math.max(...shown)].map(short)].map(String),
  );
  const all = works.flatMap(({ shown }) => shown);
  const within = all.filter((ms) => ms <= TARGET_MS).length;
  const load = loadavg().map(short).join(", ");
  await writeSection(
    "change",
    `## One page changed

${machine()}, ${PAGES} pages, load of the machine ${load}. CPU time of the server, including its garbage collector threads, from the change of the file: until the content index is updated ("update", including the work on the search index up to then), and until \`/api/pages/…\` and the page show the change on request; medians of ${CHANGES} changes of a kind after ${WARM_UP_CHANGES} warm-up changes, and the maximum. The watcher waits for 50 ms without changes, which costs no CPU.

${table(["change", "update, ms", "until shown, ms", "maximum"], rows)}

At most ${TARGET_MS} ms until shown: ${within === all.length ? "reached" : "**not reached**"}, by ${within} of ${all.length} changes.

One request to the site and one to \`node:http\`, which sends the same bytes, every ${INTERVAL_MS} ms, interleaved and from a separate process: without changes and during ${CHANGES_UNDER_LOAD} changes, one every 100 ms, alternately of a text and a title. Overhead of client and machine affects both rows of a pair. Turns are the longest uninterrupted runs of the server; collections are the garbage collection pauses among them:

${describeVisits(visits)}`,
  );
}

async function start(root: string, { settleMs, variables = {} }: ServerOptions): Promise<Server> {
  const script = fileURLToPath(new URL("change-server.mjs", import.meta.url));
  const child = fork(script, [root], { execArgv: [], env: { ...process.env, ...variables } });
  const { port } = await nextMessage(child, "ready");
  await delay(settleMs);
  return { url: `http://127.0.0.1:${port}`, child, root };
}

/** The next message of a kind; with a route, of a change of that route, because earlier ones may be late. */
function nextMessage(child: ChildProcess, event: string, route?: string): Promise<Message> {
  return new Promise((resolve) => {
    const listener = (message: unknown): void => {
      if (!isMessage(message) || message.event !== event) return;
      if (route !== undefined && !message.routes.includes(route)) return;
      child.off("message", listener);
      resolve(message);
    };
    child.on("message", listener);
  });
}

function isMessage(message: unknown): message is Message {
  return typeof message === "object" && message !== null && "event" in message;
}

/** Requests a message from the server. */
async function request({ child }: Server, event: "cpu" | "turns"): Promise<Message> {
  const answer = nextMessage(child, event);
  child.send(event);
  return answer;
}

async function measureKind(server: Server, kind: Kind): Promise<Work> {
  const [updates, shown]: [number[], number[]] = [[], []];
  for (let at = 0; at < WARM_UP_CHANGES + CHANGES; at += 1) {
    const before = (await request(server, "cpu")).cpu;
    const { route, text } = kind.change(server, at);
    const { cpu } = await nextMessage(server.child, "changed", route);
    updates.push((cpu - before) / 1000);
    await assertShown(server, `/api/pages${route}`, text);
    await assertShown(server, route, text);
    shown.push(((await request(server, "cpu")).cpu - before) / 1000);
    await delay(300);
  }
  const measured = (all: number[]): number[] => all.slice(WARM_UP_CHANGES);
  return { name: kind.name, updates: measured(updates), shown: measured(shown) };
}

async function assertShown({ url }: Server, path: string, text: string | null): Promise<void> {
  const answer = await fetch(url + path);
  const body = await answer.text();
  const isRight = text === null ? answer.status === 404 : answer.ok && body.includes(text);
  if (!isRight) throw new Error(`${path} does not show the change: status ${answer.status}`);
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
  const forMs = CHANGES_UNDER_LOAD * 100;
  return visit({ ...server, turns: () => request(server, "turns") }, visitedPaths(server), [
    { name: "without changes", forMs, meanwhile: () => delay(forMs) },
    { name: `during ${CHANGES_UNDER_LOAD} changes`, forMs, meanwhile: () => changeOften(server) },
  ]);
}

/** Pages, single pages of the API, a list and the home page. */
function visitedPaths(server: Server): string[] {
  return Array.from({ length: 10 }, (_, at) => fileOf(server, 5000 + at).route).flatMap((route) => [
    route,
    `/api/pages${route}`,
    "/api/pages?order=date:desc&limit=20",
    "/",
  ]);
}

/** Texts and titles alternately: a title also changes lists. */
async function changeOften(server: Server): Promise<void> {
  for (let at = 0; at < CHANGES_UNDER_LOAD; at += 1) {
    rewrite(server, 100 + at, at % 2 === 0 ? "body" : "title");
    await delay(100);
  }
}

await runAsScript(import.meta.url, main);
