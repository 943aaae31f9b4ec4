/** Boots a site and listens, and says so. */
import { formatBootReport } from "../../boot/boot-report.js";
import { sweepTemporaries } from "../../boot/root/sweep-temporaries.js";
import type { LoadedPackages } from "../../boot/packages/resolve-package.js";
import { processEnv } from "../../config/env.js";
import type { FileText } from "../../config/parse-files.js";
import type { Env } from "../../contracts.js";
import { createSite, type Site, type SiteOptions } from "../../boot/create-site.js";
import type { ConfigStateHolder } from "../../reload/config-state.js";
import type { WorkerLink } from "../../workers/worker-link.js";
import type { CliContext } from "../tool-input.js";
import { SitePath } from "../../http/site-path.js";
import { ServedSite } from "../reload/served-site.js";

/** Options of `serve` and `dev`. */
export interface ServeOptions {
  root: string;
  port: string;
  host: string;
  plugins?: string;
  safe?: boolean;
  without?: string;
  workers?: string;
  verbose?: boolean;
}
/** A command that serves. */
export interface ServeKind {
  name: string;
  mode: Env["mode"];
  summary: string;
}
/** A site about to be served. */
export interface Launch {
  root: string;
  options: ServeOptions;
  kind: ServeKind;
  context: CliContext;
  /** Present in a worker: the primary process says what happens. */
  link?: WorkerLink;
  /** Configuration to start with; null or absent: the files on the disk. */
  configTexts?: readonly FileText[] | null;
  /** Packages that this process has loaded: a reload runs in the same process, and is refused for another version. */
  loadedPackages: LoadedPackages;
  /** Called before the site listens. */
  created(site: Site): Promise<void>;
}

/** A site that is ready, and its port. */
export interface OpenedServer {
  served: ServedSite;
  port: number;
}

/** Boots the site on a port; resolves when it is ready. `opened` is called before the site listens. */
export async function openServer(
  launch: Launch,
  at: number,
  opened?: (served: ServedSite) => void,
): Promise<OpenedServer> {
  const { root, options } = launch;
  const started = performance.now();
  const served = new ServedSite({
    root,
    host: options.host,
    create: (more) => createFor(launch, more),
    created: (site) => launch.created(site),
  });
  const site = await served.create(() => opened?.(served));
  warnOfSafeMode(site, launch);
  const port = await orClose(served, () => served.listen(at));
  await announce(site, { launch, port, started, closable: served });
  return { served, port };
}

/** The site of a worker process. */
export interface WorkerLaunch extends Launch {
  link: WorkerLink;
  /** Holds the configuration that the primary process has announced last. */
  configState: ConfigStateHolder;
}

/** Boots the site of a worker on the port of all workers; resolves with it when it is ready. */
export async function openWorker(launch: WorkerLaunch, at: number): Promise<Site> {
  const { options, link, configState, configTexts = null } = launch;
  const started = performance.now();
  const site = await createFor(launch, { workers: link, configState, configTexts });
  warnOfSafeMode(site, launch);
  await launch.created(site);
  const port = await orClose(site, async () => {
    if (link.isFirst) return site.listen(at, options.host);
    await site.prepare();
    // A worker that replaces one that has ended serves, whatever its checks would find.
    if ((await link.ask("primary", "worker.isReload")) === true) await site.check();
    return site.listenWhenReady(at, options.host);
  });
  await link.ask("primary", "worker.listens", address(site, options.host, port));
  await announce(site, { launch, port, started, closable: site });
  return site;
}

interface Opening {
  launch: Launch;
  port: number;
  started: number;
  closable: Closable;
}

/** Says that the site listens, and that it is ready. */
async function announce(site: Site, { launch, port, started, closable }: Opening): Promise<void> {
  const { options, context, link } = launch;
  const say = announcer(site, launch);
  const url = address(site, options.host, port);
  say("site.listening", { url }, listeningText(context, url));
  await orClose(closable, () => site.ready);
  saySteps(site, launch, say);
  if (link?.isFirst !== false) sweepBeside(site);
  const ms = Math.round(performance.now() - started);
  say("site.ready", { ms }, `${context.out.colour.green("✓")} ready after ${ms} ms`);
}

function createFor(
  { root, options, kind, context, loadedPackages }: Launch,
  more: Pick<SiteOptions, "workers" | "configState" | "configTexts">,
): Promise<Site> {
  return createSite(root, {
    firstParty: context.firstParty,
    env: processEnv(kind.mode),
    ...selectionOf(options),
    safe: options.safe === true,
    without: options.without?.split(",") ?? [],
    // `site dev` says that a restart is needed, and goes on with the package as it was.
    ...(kind.mode !== "dev" && { loadedPackages }),
    ...more,
  });
}

/** The steps of the startup: always in `dev`. */
function saySteps(site: Site, { options, kind, context }: Launch, say: Announcer): void {
  if (options.verbose !== true && kind.mode !== "dev") return;
  for (const step of formatBootReport(site.bootSteps())) {
    say("site.step", { step }, context.out.colour.dim(step));
  }
}

/** The message of a server that listens. */
export function listeningText({ out }: CliContext, url: string): string {
  return `${out.colour.bold("Sitewright")} listens on ${out.colour.cyan(url)}`;
}

/** The first-party plugins of `--plugins`. */
export function selectionOf({ plugins }: ServeOptions): { selection?: string[] } {
  return plugins === undefined ? {} : { selection: plugins.split(",") };
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

type Announcer = (event: string, fields: Record<string, unknown>, words: string) => void;

/** Reports the startup: as text for people, as a JSON line for programs. */
function announcer(site: Site, { context: { out }, link }: Launch): Announcer {
  const { format } = site.context("cli").settings.system.logging;
  return (event, fields, words) => {
    if (format === "json") site.log.info(event, fields);
    else if (link === undefined) out.line(words);
  };
}

/** A site that runs without some of its code says so prominently. */
function warnOfSafeMode(site: Site, { context: { out }, link }: Launch): void {
  if (!site.safe && site.off.length === 0) return;
  if (link?.isFirst === false) return;
  const { yellow, bold } = out.colour;
  const off = site.off.length === 0 ? "none" : site.off.join(", ");
  if (site.safe) {
    out.error(`${yellow("!")} ${bold("SAFE MODE")}: only first-party plugins run`);
    out.error("  themes of the site are off: pages use the packaged theme");
  }
  out.error(`  disabled plugins: ${off}`);
  site.log.warn("site.without", { safe: site.safe, off: site.off });
}

type Closable = Pick<Site, "close">;

async function orClose<T>(site: Closable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await site.close();
    throw error;
  }
}

/** Where the site answers on this machine, with the path of its `url`. */
function address(site: Site, host: string, port: number): string {
  const { prefix } = new SitePath(site.context("cli").settings.site.url);
  const shown = host === "127.0.0.1" || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}${prefix}`;
}
