/**
 * `npm run bench -- --against <ref>`: this working tree compared with another state of the repository. The other
 * state is checked out into a temporary worktree and built with its own scripts; its own `site-server.mjs` serves it.
 * Prints ratios and writes nothing to RESULTS.md.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { build, isStale } from "../../scripts/build.mjs";
import { runCommand } from "../../scripts/services/run-command.js";
import { age } from "../start/start.js";
import { CONTENT_PATHS, writeContent } from "../support/content-files.js";
import { measure } from "../support/programs.js";
import { machine, short, table } from "../support/report.js";
import { requestCost } from "../support/requests.js";
import { startServer, type ServerProcess } from "../support/server-process.js";
import { medianOf, ratioOf, runPairs, type Pair, type Ratio, type Run } from "./comparison.js";

const here = fileURLToPath(new URL("../..", import.meta.url));
const PAGES = 1_000;
/** An export of more takes minutes in each run. */
const EXPORTED_PAGES = 200;
const CONNECTIONS = 32;
/** Seconds of requests in a run. */
const SECONDS = 2;

/** A built state of the repository with a site of its own to serve. */
interface State {
  readonly folder: string;
  /** Serves a folder: `site-server.mjs <root> cached|uncached`. */
  readonly server: string;
  readonly root: string;
}

/** A measured row of a table. */
interface Row {
  readonly name: string;
  /** What `cpuMs` and `ms` of its runs belong to, as in "per request". */
  readonly per: "run" | "request";
  readonly pairs: readonly Pair[];
}

type Comparison = (before: State, now: State, rounds: number) => Promise<Row[]>;

const comparisons: Readonly<Record<string, Comparison>> = {
  command: compareCommands,
  export: compareExports,
  http: compareRequests,
  start: compareStarts,
};

/** Names that may follow `--against <ref>`. */
export const comparisonNames: readonly string[] = Object.keys(comparisons);

/**
 * Compares this working tree with the state `ref` and prints a table for each of `names`.
 * @throws {Error} when git knows no such commit, it cannot be built, or it has no server that can be measured.
 */
export async function compareAgainst(
  ref: string,
  names: readonly string[],
  rounds: number,
): Promise<void> {
  const commit = commitOf(here, ref);
  const work = mkdtempSync(join(tmpdir(), "site-against-"));
  const other = join(work, "other");
  const stop = (): void => {
    removeWorktree(other, work);
    process.exit(130);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    console.log(`building ${ref} (${commit.slice(0, 8)}) …`);
    await checkOut(commit, other);
    if (isStale()) await build();
    const before = stateOf(other, join(work, "site-before"));
    const now = stateOf(here, join(work, "site-now"));
    console.log(
      `${machine()}. Before: ${ref} (${commit.slice(0, 8)}); now: this working tree. ${rounds * 2} pairs of runs each, in the order before, now, now, before. "times" is the median of now : before, with the lowest and the highest pair; * marks a ratio of six pairs or more that all lie on one side of 1.`,
    );
    for (const name of names) {
      const rows = (await comparisons[name]?.(before, now, rounds)) ?? [];
      console.log(`\n${name}\n\n${tableOf(rows)}`);
    }
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    removeWorktree(other, work);
  }
}

/** The hash of the commit that `ref` names in the repository `folder`. @throws {Error} when git knows none. */
export function commitOf(folder: string, ref: string): string {
  // An option of git is not a commit.
  const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const { status, stdout } = spawnSync("git", words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) {
    throw new Error(
      `--against ${JSON.stringify(ref)}: git knows no such commit here; pass a branch, tag or commit that \`git log\` shows, or fetch it first`,
    );
  }
  return stdout.trim();
}

async function checkOut(commit: string, folder: string): Promise<void> {
  await runCommand("git", ["worktree", "add", "--quiet", "--detach", folder, commit], {
    cwd: here,
  });
  const lock = (at: string): string => readFileSync(join(at, "package-lock.json"), "utf8");
  if (lock(folder) === lock(here)) {
    symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
  } else {
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
    await runCommand("npm", ["ci", ...quiet], { cwd: folder });
  }
  await runCommand(process.execPath, ["scripts/build.mjs"], { cwd: folder });
}

function removeWorktree(worktree: string, work: string): void {
  spawnSync("git", ["worktree", "remove", "--force", worktree], { cwd: here });
  rmSync(work, { recursive: true, force: true });
  spawnSync("git", ["worktree", "prune"], { cwd: here });
}

function stateOf(folder: string, root: string): State {
  const [server] = globSync("bench/**/*site-server.mjs", { cwd: folder, absolute: true });
  if (server === undefined) {
    throw new Error(`${folder} has no bench/support/site-server.mjs: pass a later commit`);
  }
  writeContent(root, PAGES);
  age(root);
  return { folder, server, root };
}

async function compareRequests(before: State, now: State, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const mode of ["cached", "uncached"]) {
    const servers: ServerProcess[] = [];
    try {
      const old = await startServer([before.server, before.root, mode]);
      servers.push(old);
      const current = await startServer([now.server, now.root, mode]);
      servers.push(current);
      // Without a first run of each, the first pairs would measure rendering and the compilation of code.
      for (const path of CONTENT_PATHS) {
        for (const server of servers) {
          await answerOf(server, path);
          await requestRun(server, path);
        }
      }
      for (const path of CONTENT_PATHS) {
        const pairs = await runPairs(
          rounds,
          () => requestRun(old, path),
          () => requestRun(current, path),
        );
        rows.push({ name: `\`${path}\` ${mode}`, per: "request", pairs });
      }
    } finally {
      for (const server of servers) await server.stop();
    }
  }
  return rows;
}

/** Requests a page once, which renders it. @throws when the response is not 2xx. */
async function answerOf(server: ServerProcess, path: string): Promise<void> {
  const response = await fetch(server.url + path);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} responds ${response.status}`);
}

/** What a request took: CPU of the server, and the time between two responses. */
async function requestRun(server: ServerProcess, path: string): Promise<Run> {
  const load = { paths: [path], connections: CONNECTIONS, seconds: SECONDS };
  const { cpu, perSecond } = await requestCost(server, load);
  return { cpuMs: cpu / 1_000, ms: 1_000 / perSecond };
}

async function compareStarts(before: State, now: State, rounds: number): Promise<Row[]> {
  const cold = await runPairs(
    rounds,
    () => startOf(before, false),
    () => startOf(now, false),
  );
  const warm = await runPairs(
    rounds,
    () => startOf(before, true),
    () => startOf(now, true),
  );
  return [
    { name: `cold, ${PAGES} pages`, per: "run", pairs: cold },
    { name: `warm, ${PAGES} pages`, per: "run", pairs: warm },
  ];
}

/** From spawn until the site is ready. */
async function startOf({ server, root }: State, isWarm: boolean): Promise<Run> {
  if (!isWarm) rmSync(join(root, ".dune"), { recursive: true, force: true });
  const from = performance.now();
  const started = await startServer([server, root]);
  const run = { cpuMs: started.cpu() / 1_000, ms: performance.now() - from };
  await started.stop();
  return run;
}

async function compareCommands(before: State, now: State, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const option of ["--version", "--help"]) {
    const pairs = await runPairs(
      rounds,
      async () => commandOf(before, [option]),
      async () => commandOf(now, [option]),
    );
    rows.push({ name: `\`site ${option}\``, per: "run", pairs });
  }
  return rows;
}

async function compareExports(before: State, now: State, rounds: number): Promise<Row[]> {
  // The pages of `writeContent` have links that lead to nothing.
  const options = ["--static", "--fresh", "--allow-broken-links"];
  const words = ["build", ...options, "--base-url", "https://example.org"];
  const run = async (state: State): Promise<Run> =>
    commandOf(state, [...words, "--root", `${state.root}-export`, "--out", "out"]);
  for (const { root } of [before, now]) {
    writeContent(`${root}-export`, EXPORTED_PAGES);
    age(`${root}-export`);
  }
  const pairs = await runPairs(
    rounds,
    () => run(before),
    () => run(now),
  );
  return [{ name: `\`site build --fresh\`, ${EXPORTED_PAGES} pages`, per: "run", pairs }];
}

function commandOf(state: State, words: readonly string[]): Run {
  const program = join(state.folder, "kernel/cli/bin.mjs");
  // An installed package does not compare dist/ with its sources either.
  const env = { SITEWRIGHT_DIST: "current" };
  const { cost } = measure([process.execPath, program, ...words], state.folder, env);
  return { cpuMs: cost.cpu * 1_000, ms: cost.wall * 1_000 };
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ name, per, pairs }) => {
    const cpu = (run: Run): number => run.cpuMs;
    const time = (run: Run): number => run.ms;
    return [
      name,
      shownPair(pairs, per, cpu),
      shownRatio(ratioOf(pairs, cpu)),
      shownPair(pairs, per, time),
      shownRatio(ratioOf(pairs, time)),
    ];
  });
  return table(["", "CPU before, now", "times", "time before, now", "times"], cells);
}

function shownPair(pairs: readonly Pair[], per: Row["per"], of: (run: Run) => number): string {
  const [before, now] = [
    medianOf(pairs.map((pair) => of(pair.before))),
    medianOf(pairs.map((pair) => of(pair.now))),
  ];
  return per === "request"
    ? `${short(before * 1_000)}, ${short(now * 1_000)} µs`
    : `${short(before)}, ${short(now)} ms`;
}

function shownRatio({ times, low, high, isClear }: Ratio): string {
  return `${times.toFixed(2)}${isClear ? "*" : ""} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
