/** A site after its set-up: listens, gets ready, closes. */
import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { drain, listenOn, type SharedPort } from "#lib/http";
import type { BootStep, Env, Logger, Services, SiteContext } from "../contracts.js";
import type { HostHandler } from "../http/host-handler.js";
import type { SiteFront } from "../http/site-front.js";
import type { FileText } from "../config/parse-files.js";
import type { Site } from "../site-shape.js";
import { setupLimitMs } from "./patience.js";
import type { LoadedSite } from "./load-site.js";
import { fail } from "./set-up.js";
import type { SiteRegistries } from "./site-context.js";

/** Default of SITE_SHUTDOWN_TIMEOUT_MS. */
const SHUTDOWN_MS = 30_000;
/** Delay of deferred work, when the host listens itself and does not tell when. */
const HOST_PATIENCE_MS = 1_000;
/** Interval between two looks at the open requests of a host. */
const HOST_POLL_MS = 20;

/** Steps 7 and 8 of the boot, and the end of the site. */
export class RunningSite implements Site {
  readonly log: Logger & { flush?(): void };
  readonly env: Env;
  readonly off: readonly string[];
  readonly safe: boolean;
  readonly sources: readonly string[];
  readonly configTexts: readonly FileText[];
  readonly ready: Promise<void>;
  readonly #site: SiteRegistries;
  readonly #loaded: LoadedSite;
  readonly #settle: { resolve: () => void; reject: (error: unknown) => void };
  #started: Promise<void> | null = null;
  #closed: Promise<void> | null = null;
  #later: NodeJS.Timeout | undefined;
  #port: SharedPort | null = null;
  #front: SiteFront | null = null;
  #opened: Promise<SiteFront> | null = null;

  constructor(site: SiteRegistries, loaded: LoadedSite, log: Logger) {
    this.#site = site;
    this.#loaded = loaded;
    this.log = log;
    this.env = loaded.env;
    this.off = loaded.off;
    this.safe = loaded.safe;
    this.sources = loaded.sources;
    this.configTexts = loaded.files.texts;
    const settle = { resolve: (): void => undefined, reject: (_: unknown): void => undefined };
    this.ready = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }));
    // `start` reports a failure to callers that do not wait for `ready`.
    this.ready.catch(() => undefined);
    this.#settle = settle;
    site.http.addKernelSteps(() => site.state, site.bus.forPlugin("kernel", -1));
    site.http.seal();
    site.http.answeredBy(
      () => this.#front?.server ?? this.openFront().then((front) => front.server),
    );
  }

  /**
   * Loads and creates what requests pass through: Express, its app, the server. A site that serves has it before
   * anyone sees the site; that of a command once something is requested from it, which few commands do.
   */
  openFront(): Promise<SiteFront> {
    return (this.#opened ??= this.#openFront());
  }

  async #openFront(): Promise<SiteFront> {
    const { openSiteFront } = await import("../http/site-front.js");
    this.#front = openSiteFront({
      site: this.#site,
      settings: this.#loaded.settings,
      log: this.log,
    });
    return this.#front;
  }

  get #served(): SiteFront {
    if (this.#front !== null) return this.#front;
    throw new Error("openFront has not finished");
  }

  get server(): Server {
    return this.#served.server;
  }

  get handler(): HostHandler {
    return this.#served.handler;
  }

  context(plugin: string): SiteContext {
    const rank = this.#loaded.plugins.findIndex((loaded) => loaded.plugin.name === plugin);
    return this.#site.contextFor(plugin, rank);
  }

  use<K extends keyof Services & string>(name: K): Services[K] {
    return this.#site.services.use(name, "the host of the site");
  }

  find<K extends keyof Services & string>(name: K): Services[K] | undefined {
    return this.#site.services.find(name);
  }

  get shutdownMs(): number {
    const ms = Number(this.env.get("SITE_SHUTDOWN_TIMEOUT_MS"));
    return Number.isFinite(ms) && ms > 0 ? ms : SHUTDOWN_MS;
  }

  start(): Promise<void> {
    return (this.#started ??= this.#run({ isListening: this.#isListening }));
  }

  get #isListening(): boolean {
    return this.#front?.server.listening === true;
  }

  async listen(port: number, host = "127.0.0.1"): Promise<number> {
    const listening = await listenOn(this.server, port, host);
    this.start().catch(() => undefined);
    return listening;
  }

  prepare(): Promise<void> {
    return (this.#started ??= this.#run({ isListening: true }));
  }

  check(): Promise<void> {
    return this.#site.lifecycle.check();
  }

  serveOn(port: SharedPort): void {
    this.#port = port;
    port.serve(this.#served);
  }

  leave(): Promise<void> {
    // The state stays ready: its last requests are served like those of its successor.
    this.#site.http.isDraining = true;
    return (this.#closed ??= this.#finish());
  }

  async retire(): Promise<void> {
    this.#drain();
    const { drain_seconds } = this.#loaded.settings.system.server;
    if (this.#isListening || this.#port !== null) await delay(drain_seconds * 1000);
  }

  async listenWhenReady(port: number, host = "127.0.0.1"): Promise<number> {
    await this.prepare();
    return listenOn(this.server, port, host);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  #drain(): void {
    this.#site.state = "draining";
    this.#site.http.isDraining = true;
  }

  #close(): Promise<void> {
    this.#drain();
    return this.#finish();
  }

  async #finish(): Promise<void> {
    this.#site.closing.abort();
    if (this.#isListening) await drain(this.server, this.shutdownMs);
    const openRequests = (): number => this.#site.http.openRequests;
    await this.#port?.leave(this.server, { limitMs: this.shutdownMs, openRequests });
    // Those that came through `handler`.
    const until = performance.now() + this.shutdownMs;
    while (openRequests() > 0 && performance.now() < until) await delay(HOST_POLL_MS);
    await this.#started?.catch(() => undefined);
    clearTimeout(this.#later);
    await this.#site.changes.settled();
    await this.#site.bus.settled();
    await this.#site.lifecycle.finish(this.log);
    this.#site.ended.abort();
    await this.#site.lifecycle.close(this.log);
    this.#site.cache.close();
    this.log.flush?.();
  }

  bootSteps(): readonly BootStep[] {
    return this.#site.boot.steps;
  }

  async #run({ isListening }: { isListening: boolean }): Promise<void> {
    const optional = new Set(
      this.#loaded.plugins.flatMap(({ plugin }) => (plugin.optional ? [plugin.name] : [])),
    );
    const ours = this.#loaded.plugins.filter(({ firstParty }) => firstParty);
    const unlimited = new Set(["kernel", ...ours.map(({ plugin }) => plugin.name)]);
    const failed = (name: string, error: unknown): void =>
      fail(this.#site, { name, optional: optional.has(name), error, log: this.log });
    try {
      await this.#site.lifecycle.ready(failed, {
        isListening,
        boot: this.#site.boot,
        slow: (slow, seconds) => this.log.warn("plugin.slow", { slow, step: "ready", seconds }),
        // First-party plugins have no limit: the index of a large site takes long.
        limitMs: (name) =>
          unlimited.has(name) ? null : setupLimitMs({ optional: optional.has(name) }),
      });
      this.#site.slots.seal();
      this.#site.extensions.seal();
      if (this.#site.state === "starting") this.#site.state = "ready";
      this.#settle.resolve();
      const isBusy = (): boolean => this.#site.http.openRequests > 0;
      const runLater = (): void => this.#site.lifecycle.runLater(this.log, isBusy);
      if (isListening) runLater();
      else if (this.#loaded.purpose === "serve") {
        this.#later = setTimeout(runLater, HOST_PATIENCE_MS).unref();
      }
    } catch (error) {
      this.#settle.reject(error);
      throw error;
    }
  }
}
