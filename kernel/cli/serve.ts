import { resolve } from "node:path";
import type { Command as Program } from "commander";
import { ENV_FILE_OPTION } from "../config/env-file.js";
import { processEnv } from "../config/env.js";
import { formatBootReport } from "../boot/boot-report.js";
import type { Env } from "../contracts.js";
import { SiteError } from "../errors.js";
import { createSite, type Site } from "../site.js";
import { sweepTemporaries } from "../boot/sweep-temporaries.js";
import type { CliContext } from "./cli-context.js";
import { DevServer } from "./dev-server.js";
import { devFiles } from "./dev-watch.js";
import { report } from "./report.js";
import { lockRoot } from "./root-lock.js";
import { stopOnSignals } from "./signals.js";

/** Options of `serve` and `dev`. */
interface ServeOptions {
  root: string;
  port: string;
  host: string;
  plugins?: string;
  safe?: boolean;
  without?: string;
  verbose?: boolean;
}

interface ServeKind {
  name: string;
  mode: Env["mode"];
  summary: string;
}

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
    .option("--verbose", "print the duration of startup steps (default in dev)")
    .action((options: ServeOptions) => serve(options, kind, context));
}

async function serve(options: ServeOptions, kind: ServeKind, context: CliContext): Promise<void> {
  const port = parsePort(options.port);
  const root = resolve(options.root);
  const locked = new Set<string>();
  const launch: Launch = {
    ...{ root, options, kind, context },
    async created(site) {
      const { runtime } = site.context("cli").paths;
      if (kind.mode !== "dev") launch.stop = stopOnSignals(site);
      if (locked.has(runtime)) return;
      locked.add(runtime);
      await lockRoot(runtime, () => {
        const fix = "another server has taken over this site root; this one stops";
        site.log.error("site.lock_lost", { fix });
        launch.stop(1);
      });
    },
    stop: (code) => process.exit(code),
  };
  if (kind.mode === "dev") await develop(launch, port);
  else await open(launch, port);
}

/** A site about to be served. */
interface Launch {
  root: string;
  options: ServeOptions;
  kind: ServeKind;
  context: CliContext;
  /** Called before the site listens. */
  created(site: Site): Promise<void>;
  /** Stops serving, then exits. */
  stop(code: number): void;
}

async function develop(launch: Launch, port: number): Promise<void> {
  const { root, options, kind, context } = launch;
  const { firstParty, out } = context;
  const selection = selectionOf(options);
  const server = new DevServer({
    ...{ root, port, host: options.host, out },
    open: (at) => open(launch, at),
    files: () => devFiles(root, { env: processEnv(kind.mode), firstParty, ...selection }),
    report: (error) => report(error, out),
  });
  launch.stop = stopOnSignals(server);
  await server.run();
}

/** Boots the site on a port; resolves when it is ready. */
async function open(launch: Launch, at: number): Promise<{ site: Site; port: number }> {
  const { root, options, kind, context, created } = launch;
  const { out } = context;
  const started = performance.now();
  const site = await createSite(root, {
    firstParty: context.firstParty,
    env: processEnv(kind.mode),
    ...selectionOf(options),
    safe: options.safe === true,
    without: options.without?.split(",") ?? [],
  });
  const say = announcer(site, out);
  warnOfSafeMode(site, out);
  await created(site);
  const port = await listenOrClose(site, at, options.host);
  const url = address(options.host, port);
  say(
    "site.listening",
    { url },
    `${out.colour.bold("Sitewright")} listens on ${out.colour.cyan(url)}`,
  );
  await readyOrClose(site);
  if (options.verbose === true || kind.mode === "dev") {
    for (const step of formatBootReport(site.bootSteps())) {
      say("site.step", { step }, out.colour.dim(step));
    }
  }
  sweepBeside(site);
  const ms = Math.round(performance.now() - started);
  say("site.ready", { ms }, `${out.colour.green("✓")} ready after ${ms} ms`);
  return { site, port };
}

/** Removes leftovers of a killed process, beside the first requests; ends with the site. */
function sweepBeside(site: Site): void {
  const { paths, lifecycle } = site.context("cli");
  const ending = new AbortController();
  const swept = sweepTemporaries(paths.root, { signal: ending.signal }).then((files) => {
    if (files.length > 0) site.log.info("site.temporaries_removed", { count: files.length });
  });
  swept.catch((error: unknown) => site.log.warn("site.sweep_failed", { error: String(error) }));
  lifecycle.onClose(() => ending.abort());
}

function selectionOf({ plugins }: ServeOptions): { selection?: string[] } {
  return plugins === undefined ? {} : { selection: plugins.split(",") };
}

/** Reports the startup: as text for people, as a JSON line for programs. */
function announcer(site: Site, out: CliContext["out"]) {
  const { format } = site.context("cli").settings.system.logging;
  return (event: string, fields: Record<string, unknown>, words: string): void => {
    if (format === "json") site.log.info(event, fields);
    else out.line(words);
  };
}

/** A site that runs without some of its code says so prominently. */
function warnOfSafeMode(site: Site, out: CliContext["out"]): void {
  if (!site.safe && site.off.length === 0) return;
  const { yellow, bold } = out.colour;
  const off = site.off.length === 0 ? "none" : site.off.join(", ");
  if (site.safe) {
    out.error(`${yellow("!")} ${bold("SAFE MODE")}: only first-party plugins run`);
    out.error("  themes of the site are off: pages use the packaged theme");
  }
  out.error(`  disabled plugins: ${off}`);
  site.log.warn("site.without", { safe: site.safe, off: site.off });
}

async function listenOrClose(site: Site, port: number, host: string): Promise<number> {
  try {
    return await site.listen(port, host);
  } catch (error) {
    await site.close();
    throw error;
  }
}

async function readyOrClose(site: Site): Promise<void> {
  try {
    await site.ready;
  } catch (error) {
    await site.close();
    throw error;
  }
}

function address(host: string, port: number): string {
  const shown = host === "127.0.0.1" || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

/** A port number. */
function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SiteError("ERR_CLI_OPTION", `--port is ${JSON.stringify(text)}`, {
    fix: "pass a whole number from 0 to 65535",
  });
}
