/** `site serve`: one process whose site can be replaced, or several. */
import cluster from "node:cluster";
import { createServer } from "node:http";
import { z } from "zod";
import {
  type Launch,
  type Logger,
  problemsOf,
  RELOAD_SIGNAL,
  type Site,
  type SiteServer,
} from "#kernel";
import { lockRoot } from "#lib/files";
import { listenOn } from "#lib/http";
import type { PrimaryPart } from "./contract.js";
import { Hub } from "./hub.js";
import { Primary } from "./primary.js";
import { CONFIG_IN_USE, CONFIG_STATE, textsShape } from "./primary-reload.js";
import { ConfigStateHolder, configStateShape, noteReload } from "./reload-state.js";
import { ServedSite } from "./served-site.js";
import { WorkerLink } from "./worker-link.js";

/** One key press can arrive twice: from the terminal, and forwarded by the parent process, in ms. */
const ECHO_MS = 500;

type Settings = Awaited<ReturnType<Launch["settings"]>>;
type PartLoader = () => Promise<PrimaryPart>;

/** Serves with one process or several. `parts`: what keeps state for all workers in the primary process. */
export function siteServer(parts: readonly PartLoader[]): SiteServer {
  return {
    async serve(launch) {
      const link = joinPrimary();
      if (link !== null) return serveAsWorker(launch, link);
      const settings = await launch.settings();
      if (settings.count > 1) return runPrimary(launch, settings, parts);
      await openSite(launch, launch.port, (served) => {
        launch.stopOnSignals(served);
        launch.reloadOnSignals(() => void served.reload());
      });
    },
    open: (launch, port) => openSite(launch, port),
  };
}

/** Boots a site that can be replaced; `booted` is called before it listens. */
async function openSite(
  launch: Launch,
  at: number,
  booted: (served: ServedSite) => void = () => undefined,
): Promise<{ served: ServedSite; port: number }> {
  const served = new ServedSite({
    root: launch.root,
    host: launch.host,
    create: (more) => launch.create(more),
    created: (site) => launch.lock(site),
  });
  const site = await served.create(() => booted(served));
  const port = await launch.listen(site, {
    listen: () => served.listen(at),
    close: () => served.close(),
  });
  return { served, port };
}

/** The link of this process to the primary one; null when it is no worker. */
function joinPrimary(): WorkerLink | null {
  const id = cluster.worker?.id;
  if (id === undefined) return null;
  const send = (packet: object, failed: () => void): void => {
    if (!process.connected) failed();
    else process.send?.(packet, undefined, undefined, (error) => error && failed());
  };
  const link = new WorkerLink(id, { isFirst: id === 1, channel: { send } });
  process.on("message", (message) => link.take(message));
  return link;
}

/** Serves the site as a worker: the primary process holds the lock of the root. */
async function serveAsWorker(launch: Launch, link: WorkerLink): Promise<void> {
  const configState = new ConfigStateHolder();
  link.handle(CONFIG_STATE, (input) => {
    configState.current = configStateShape.parse(input);
  });
  try {
    const configTexts = textsShape.nullable().parse(await link.ask("primary", CONFIG_IN_USE));
    const reloads = configState.view();
    const site = await launch.create({ workers: link, reloads, configTexts });
    launch.stopOnSignals(site, ["SIGTERM", "SIGINT"]);
    // The primary process decides what follows from it.
    for (const signal of ["SIGHUP", RELOAD_SIGNAL]) process.on(signal, () => undefined);
    await link.ask("primary", "worker.root", site.context("cli").paths.runtime);
    link.beat(site.log);
    await launch.listen(site, {
      async listen() {
        const port = await listenAsWorker(site, launch, link);
        await link.ask("primary", "worker.listens", launch.addressOf(site, port));
        return port;
      },
      close: () => site.close(),
    });
    await link.ask("primary", "worker.ready", site.configTexts);
  } catch (error) {
    const problems = problemsOf(error, launch.root);
    await link.ask("primary", "worker.failed", problems).catch(() => undefined);
    // A worker that does not start ends, although the primary process listens to it.
    process.channel?.unref();
    throw error;
  }
}

/** The first worker listens while its site gets ready; the others, beside workers that serve, do so afterwards. */
async function listenAsWorker(
  site: Site,
  { port, host }: Launch,
  link: WorkerLink,
): Promise<number> {
  if (link.isFirst) return site.listen(port, host);
  await site.prepare();
  // A worker that replaces one that has ended serves, whatever its checks would find.
  if ((await link.ask("primary", "worker.isReload")) === true) await site.check();
  return site.listenWhenReady(port, host);
}

/** Runs the workers of a site; resolves when all are ready. @throws ERR_PORT_IN_USE. */
async function runPrimary(
  launch: Launch,
  settings: Settings,
  parts: readonly PartLoader[],
): Promise<void> {
  const started = performance.now();
  const { count, memoryMb, silenceSeconds } = settings;
  const port = await freePort(launch.port, launch.host);
  const { log, format } = await settings.createLog();
  const exit = (code: number): never => {
    log.flush();
    return process.exit(code);
  };
  const hub = new Hub();
  for (const load of parts) (await load())(hub);
  let runtime: string | null = null;
  const primary = new Primary({
    count,
    memoryMb,
    silenceSeconds,
    log,
    hub,
    exit,
    reloaded: async (state) => {
      if (runtime !== null) await noteReload(runtime, state);
    },
  });
  const say = (event: string, fields: Record<string, unknown>, words: string): void => {
    if (format === "json") log.info(event, fields);
    else launch.out.line(words);
  };
  hub.handle("worker.listens", (input, id) => {
    if (id !== 1) return;
    const url = String(input);
    say("site.listening", { url, workers: count }, launch.listeningText(url));
  });
  let locked: Promise<unknown> | null = null;
  hub.handle("worker.root", async (input) => {
    const onLost = (): void => {
      const fix = "another server has taken over this site root; this one stops";
      log.error("site.lock_lost", { fix });
      void primary.stop();
    };
    runtime = z.string().parse(input);
    await (locked ??= lockRoot(runtime, onLost));
  });
  // Arguments that come last win.
  cluster.setupPrimary({ args: [...process.argv.slice(2), "--port", String(port)] });
  passSignals(primary, launch, log);
  await primary.start();
  const ms = Math.round(performance.now() - started);
  say("site.ready", { ms }, `${launch.readyText(ms)}: ${count} workers`);
}

/** The port, after a check that it is free; a free one for 0. */
async function freePort(asked: number, host: string): Promise<number> {
  const server = createServer();
  const port = await listenOn(server, asked, host);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A reload replaces the workers, once one with the new configuration has passed its checks. */
function passSignals(primary: Primary, launch: Launch, log: Logger): void {
  let stoppedAt = -Infinity;
  const stop = (signal: string): void => {
    if (performance.now() - stoppedAt < ECHO_MS) return;
    stoppedAt = performance.now();
    log.info("site.stopping", { signal });
    void primary.stop();
  };
  for (const signal of launch.stopSignals) process.on(signal, stop);
  launch.reloadOnSignals(() => primary.restart());
}
