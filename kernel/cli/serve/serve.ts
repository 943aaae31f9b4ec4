import { resolve } from "node:path";
import type { Command as Program } from "commander";
import { ENV_FILE_OPTION, processEnv } from "../../config/env.js";
import { optionError } from "../../errors.js";
import { readPrimarySettings } from "../../workers/settings.js";
import type { CliContext } from "../tool-input.js";
import { DevServer } from "../dev/dev-server.js";
import { devFiles } from "../dev/dev-watch.js";
import { report } from "../report.js";
import {
  openServer,
  selectionOf,
  type Launch,
  type ServeKind,
  type ServeOptions,
} from "./open-server.js";
import { lockRoot } from "./root-lock.js";
import { joinPrimary, runPrimary, serveAsWorker } from "./serve-workers.js";
import { reloadOnSignals, stopOnSignals, stopSignals } from "./signals.js";

const kinds: readonly ServeKind[] = [
  { name: "serve", mode: "production", summary: "serve the site" },
  {
    name: "dev",
    mode: "dev",
    summary: "serve the site, rebuild on file changes and reload the browser",
  },
];

/** Names of the commands that serve. */
export const serving: ReadonlySet<string> = new Set(kinds.map(({ name }) => name));

/** Adds `serve` and `dev`. */
export function addServeCommands(program: Program, context: CliContext): void {
  for (const kind of kinds) addServe(program, context, kind);
}

function addServe(program: Program, context: CliContext, kind: ServeKind): void {
  program
    .command(kind.name)
    .description(kind.summary)
    .option("--root <dir>", "the site's folder", ".")
    .option("--port <number>", "port to listen on (0: a free one)", "8000")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option(...ENV_FILE_OPTION)
    .option("--plugins <names>", "first-party plugins to select for this run, separated by commas")
    .option("--safe", "run only first-party plugins: no other plugin, no theme of the site")
    .option("--without <plugins>", "leave out these plugins (src or name), separated by commas")
    .option("--workers <number>", "processes that serve (auto: one per core); dev ignores it")
    .option("--verbose", "print the duration of startup steps (default in dev)")
    .action((options: ServeOptions) => serve(options, kind, context));
}

async function serve(options: ServeOptions, kind: ServeKind, context: CliContext): Promise<void> {
  const port = parsePort(options.port);
  const root = resolve(options.root);
  const request = { root, options, kind, context, loadedPackages: new Map() };
  if (kind.mode === "dev") return develop(request, port);
  const link = joinPrimary();
  if (link !== null) return serveAsWorker({ ...request, link }, port);
  const env = processEnv(kind.mode);
  const settings = await readPrimarySettings(root, { env, option: options.workers });
  if (settings.count > 1) return runPrimary({ ...request, settings }, port);
  let stop = exit;
  const launch: Launch = { ...request, created: lockedOnce((code) => stop(code)) };
  await openServer(launch, port, (served) => {
    stop = stopOnSignals(served, stopSignals());
    reloadOnSignals(() => void served.reload());
  });
}

async function develop(request: Omit<Launch, "created">, port: number): Promise<void> {
  const { root, options, kind, context } = request;
  const { firstParty, out } = context;
  let stop = exit;
  const launch: Launch = { ...request, created: lockedOnce((code) => stop(code)) };
  const server = new DevServer({
    root,
    port,
    host: options.host,
    out,
    open: (at) => openServer(launch, at),
    files: () =>
      devFiles(root, { env: processEnv(kind.mode), firstParty, ...selectionOf(options) }),
    report: (error) => report(error, out),
  });
  stop = stopOnSignals(server, stopSignals());
  reloadOnSignals(() => server.reload());
  await server.run();
}

/** Locks the runtime folder of a site, which a restart of `dev` may change. */
function lockedOnce(stop: (code: number) => void): Launch["created"] {
  const locked = new Set<string>();
  return async (site) => {
    const { runtime } = site.context("cli").paths;
    if (locked.has(runtime)) return;
    locked.add(runtime);
    await lockRoot(runtime, () => {
      const fix = "another server has taken over this site root; this one stops";
      site.log.error("site.lock_lost", { fix });
      stop(1);
    });
  };
}

function exit(code: number): void {
  process.exit(code);
}

/** A port number. */
function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw optionError(`--port is ${JSON.stringify(text)}`, {
    fix: "pass a whole number from 0 to 65535",
  });
}
