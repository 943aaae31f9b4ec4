/** `site serve` with several workers: the primary process, and one of its workers. */
import cluster from "node:cluster";
import { createServer } from "node:http";
import { z } from "zod";
import { listenOn } from "../../boot/listen.js";
import { createLog, type RootLogger } from "../../log/log.js";
import { Hub } from "../../workers/hub.js";
import { Primary } from "../../workers/primary.js";
import type { PrimarySettings } from "../../workers/settings.js";
import { ConfigStateHolder, configStateShape, problemsOf } from "../../reload/config-state.js";
import { CONFIG_IN_USE, CONFIG_STATE, textsShape } from "../../workers/primary-reload.js";
import { WorkerLink } from "../../workers/worker-link.js";
import { noteReload } from "../reload/reload-note.js";
import { listeningText, openWorker, type Launch } from "./open-server.js";
import { lockRoot } from "./root-lock.js";
import { RELOAD_SIGNAL, reloadOnSignals, stopOnSignals, stopSignals } from "./signals.js";

/** One key press can arrive twice: from the terminal, and forwarded by the parent process, in ms. */
const ECHO_MS = 500;

/** A site to serve with several processes. */
type Request = Omit<Launch, "created" | "link">;

interface WorkerRequest extends Request {
  link: WorkerLink;
}

interface PrimaryRequest extends Request {
  settings: PrimarySettings;
}

/** The link of this process to the primary one; null when it is no worker. */
export function joinPrimary(): WorkerLink | null {
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
export async function serveAsWorker(request: WorkerRequest, port: number): Promise<void> {
  const { link } = request;
  const configState = new ConfigStateHolder();
  link.handle(CONFIG_STATE, (input) => {
    configState.current = configStateShape.parse(input);
  });
  const created: Launch["created"] = async (site) => {
    stopOnSignals(site, ["SIGTERM", "SIGINT"]);
    // The primary process decides what follows from it.
    for (const signal of ["SIGHUP", RELOAD_SIGNAL]) process.on(signal, () => undefined);
    await link.ask("primary", "worker.root", site.context("cli").paths.runtime);
    link.beat(site.log);
  };
  try {
    const configTexts = textsShape.nullable().parse(await link.ask("primary", CONFIG_IN_USE));
    const site = await openWorker({ ...request, created, configState, configTexts }, port);
    await link.ask("primary", "worker.ready", site.configTexts);
  } catch (error) {
    const problems = problemsOf(error, request.root);
    await link.ask("primary", "worker.failed", problems).catch(() => undefined);
    // A worker that does not start ends, although the primary process listens to it.
    process.channel?.unref();
    throw error;
  }
}

/** Runs the workers of a site; resolves when all are ready. @throws ERR_PORT_IN_USE. */
export async function runPrimary(request: PrimaryRequest, asked: number): Promise<void> {
  const { settings, options, context } = request;
  const started = performance.now();
  const port = await freePort(asked, options.host);
  const { format, level } = settings.logging();
  const log = await createLog({ format, level });
  const exit = (code: number): never => {
    log.flush();
    return process.exit(code);
  };
  const hub = new Hub();
  for (const load of context.firstParty.primaryParts ?? []) (await load())(hub);
  let runtime: string | null = null;
  const primary = new Primary({
    ...settings,
    log,
    hub,
    exit,
    reloaded: async (state) => {
      if (runtime !== null) await noteReload(runtime, state);
    },
  });
  const say = (event: string, fields: Record<string, unknown>, words: string): void => {
    if (format === "json") log.info(event, fields);
    else context.out.line(words);
  };
  hub.handle("worker.listens", (input, id) => {
    if (id !== 1) return;
    const url = String(input);
    const { count } = settings;
    say("site.listening", { url, workers: count }, listeningText(context, url));
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
  passSignals(primary, log);
  await primary.start();
  const ms = Math.round(performance.now() - started);
  const { green } = context.out.colour;
  say("site.ready", { ms }, `${green("✓")} ready after ${ms} ms: ${settings.count} workers`);
}

/** The port, after a check that it is free; a free one for 0. */
async function freePort(asked: number, host: string): Promise<number> {
  const server = createServer();
  const port = await listenOn(server, asked, host);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A reload replaces the workers, once one with the new configuration has passed its checks. */
function passSignals(primary: Primary, log: RootLogger): void {
  let stoppedAt = -Infinity;
  const stop = (signal: string): void => {
    if (performance.now() - stoppedAt < ECHO_MS) return;
    stoppedAt = performance.now();
    log.info("site.stopping", { signal });
    void primary.stop();
  };
  for (const signal of stopSignals()) process.on(signal, stop);
  reloadOnSignals(() => primary.restart());
}
