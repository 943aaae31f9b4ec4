/** The start of a site by a command that serves: `serve`, and those of tools (`dev`). */
import { lockRoot, sweepTemporaries } from "#lib/files";
import { formatBootReport } from "../../boot/boot-report.js";
import { createSite, type Site, type SiteOptions } from "../../boot/create-site.js";
import type { FirstParty } from "../../boot/load-site.js";
import type { LoadedPackages } from "#lib/packages";
import { startFiles, type StartFiles } from "../../boot/start-files.js";
import { processEnv } from "../../config/env.js";
import type { Env, Output } from "../../contracts.js";
import { optionError } from "../../errors.js";
import { SitePath } from "#lib/http";
import { report } from "../report.js";
import { readLaunchSettings, type LaunchSettings } from "./server-settings.js";
import { reloadOnSignals, stopOnSignals, stopSignals, type Stoppable } from "./signals.js";

/** Runs the sites of a program that does more than boot one and listen. */
export interface SiteServer {
  /** Serves until a signal ends the process; resolves when the site is ready. */
  serve(launch: Launch): Promise<void>;
  /** Boots a site that can be replaced, listens on a port, and resolves when the site is ready. */
  open(launch: Launch, port: number): Promise<OpenedSite>;
}
/** A site on a port, which another one can replace. */
export interface ReplaceableSite extends Stoppable {
  /** The site that serves now. */
  readonly site: Site;
  /**
   * Reads the configuration again. Resolves with null when the new site has taken over, else with the
   * reason why the running one goes on.
   */
  reload(): Promise<unknown>;
  /** Notes a package that this process has loaded in another version. */
  packageChanged(name: string): void;
  /** Ends all connections at once. */
  cutOff(): void;
}
/** A site that is ready, and its port. */
export interface OpenedSite {
  readonly served: ReplaceableSite;
  readonly port: number;
}

/** The host of the command line: its first-party plugins, and what serves. */
export interface Program extends FirstParty {
  /** Names of the tools' commands that serve: they have the options of `serve`, and read the site themselves. */
  serving?: readonly string[];
  /** Default: one process serves one site. */
  server?(): Promise<SiteServer>;
}

/** Options of `serve`, as the command line gives them. */
export type ServeOptions = Readonly<Record<string, unknown>>;

/** Opens and closes the port of a launch. */
export interface Listening {
  /** Opens the port and resolves with it; the site need not be ready. */
  listen(): Promise<number>;
  /** Called when the start fails. */
  close(): Promise<void>;
}

/** The site and the options that a launch starts with. */
export interface LaunchContext {
  readonly root: string;
  readonly options: ServeOptions;
  readonly firstParty: Program;
  readonly out: Output;
}

/** One run of a command that serves a site. */
export class Launch {
  readonly root: string;
  readonly mode: Env["mode"];
  /** Port to listen on; 0: a free one. */
  readonly port: number;
  readonly host: string;
  readonly out: Output;
  readonly #options: ServeOptions;
  readonly #firstParty: Program;
  /** Packages that this process has loaded: a reload runs in the same process, and is refused for another version. */
  readonly #loadedPackages: LoadedPackages = new Map();
  readonly #locked = new Set<string>();
  #startedAt = 0;
  #stop: (code: number) => void = (code) => process.exit(code);

  /** @throws ERR_CLI_OPTION for an invalid port. */
  constructor({ root, options, firstParty, out }: LaunchContext, mode: Env["mode"]) {
    const { port, host } = options;
    this.root = root;
    this.mode = mode;
    this.port = parsePort(String(port));
    this.host = String(host);
    this.out = out;
    this.#options = options;
    this.#firstParty = firstParty;
  }

  /** Reads how many processes `--workers` or the configuration asks for. @throws ERR_CLI_OPTION. */
  settings(): Promise<LaunchSettings> {
    const { workers } = this.#options;
    const option = workers === undefined ? undefined : String(workers);
    return readLaunchSettings(this.root, { env: processEnv(this.mode), option });
  }

  /** The files that decide how the site starts. @throws ERR_CONFIG_ROOT. */
  startFiles(): Promise<StartFiles> {
    const env = processEnv(this.mode);
    return startFiles(this.root, { env, firstParty: this.#firstParty, ...this.#selection() });
  }

  /** Boots the site, without a port. @throws the errors of `createSite`. */
  create(more: Pick<SiteOptions, "workers" | "reloads" | "configTexts"> = {}): Promise<Site> {
    const { safe, without } = this.#options;
    this.#startedAt = performance.now();
    return createSite(this.root, {
      firstParty: this.#firstParty,
      env: processEnv(this.mode),
      ...this.#selection(),
      safe: safe === true,
      without: typeof without === "string" ? without.split(",") : [],
      // `site dev` says that a restart is needed, and goes on with the package as it was.
      ...(this.mode !== "dev" && { loadedPackages: this.#loadedPackages }),
      ...more,
    });
  }

  /** Boots a site that can be replaced on a port; resolves when it is ready. @throws as `serve`. */
  async open(port: number): Promise<OpenedSite> {
    const server = await this.#firstParty.server?.();
    if (server !== undefined) return server.open(this, port);
    throw optionError("this program cannot replace a running site", { fix: "run site serve" });
  }

  /**
   * Serves the site: one process, unless the program has a server of its own. Resolves when it is ready.
   * @throws ERR_ROOT_LOCKED, ERR_PORT_IN_USE, and the errors of `createSite`.
   */
  async serve(): Promise<void> {
    const server = await this.#firstParty.server?.();
    if (server !== undefined) return server.serve(this);
    const site = await this.create();
    this.stopOnSignals(site);
    await this.lock(site);
    await this.listen(site, {
      listen: () => site.listen(this.port, this.host),
      close: () => site.close(),
    });
  }

  /** Listens, says so, and resolves with the port when the site is ready. */
  async listen(site: Site, { listen, close }: Listening): Promise<number> {
    this.#warnOfSafeMode(site);
    try {
      const port = await listen();
      const url = this.addressOf(site, port);
      this.#say(site, "site.listening", { url }, this.listeningText(url));
      await site.ready;
      this.#saySteps(site);
      if (site.context("cli").runtime.workers.isFirst) sweepBeside(site);
      const ms = Math.round(performance.now() - this.#startedAt);
      this.#say(site, "site.ready", { ms }, this.readyText(ms));
      return port;
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Makes this process the only server of the site's runtime folder, which a reload may change. */
  async lock(site: Site): Promise<void> {
    const { runtime } = site.context("cli").paths;
    if (this.#locked.has(runtime)) return;
    this.#locked.add(runtime);
    await lockRoot(runtime, () => {
      const fix = "another server has taken over this site root; this one stops";
      site.log.error("site.lock_lost", { fix });
      this.#stop(1);
    });
  }

  /** Closes what serves on the first of these signals, on an uncaught exception, and when the lock is lost. */
  stopOnSignals(served: Stoppable, signals: readonly NodeJS.Signals[] = this.stopSignals): void {
    this.#stop = stopOnSignals(served, signals);
  }

  /** The signals that stop a server. */
  get stopSignals(): readonly NodeJS.Signals[] {
    return stopSignals();
  }

  /** Calls `reload` on `site reload`, and on SIGHUP unless that stops the server. */
  reloadOnSignals(reload: () => void): void {
    reloadOnSignals(reload);
  }

  /** Prints why a site does not start, and returns the exit code. */
  report(error: unknown): number {
    return report(error, this.out);
  }

  /** The address of the site on this machine, with the path of its `url`. */
  addressOf(site: Site, port: number): string {
    const { host } = this;
    const { prefix } = new SitePath(site.context("cli").settings.site.url);
    const shown = host === "127.0.0.1" || host === "0.0.0.0" || host === "::" ? "localhost" : host;
    return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}${prefix}`;
  }

  /** The message of a server that listens. */
  listeningText(url: string): string {
    const { colour } = this.out;
    return `${colour.bold("Sitewright")} listens on ${colour.cyan(url)}`;
  }

  /** The message of a server that is ready. */
  readyText(ms: number): string {
    const next = this.mode === "dev" ? ": save a file to reload the browser, Ctrl+C stops" : "";
    return `${this.out.colour.green("✓")} ready after ${ms} ms${next}`;
  }

  /** The first-party plugins of `--plugins`. */
  #selection(): { selection?: string[] } {
    const { plugins } = this.#options;
    return typeof plugins === "string" ? { selection: plugins.split(",") } : {};
  }

  /** The steps of the startup, with `--verbose`. */
  #saySteps(site: Site): void {
    if (this.#options["verbose"] !== true) return;
    for (const step of formatBootReport(site.bootSteps())) {
      this.#say(site, "site.step", { step }, this.out.colour.dim(step));
    }
  }

  /** Reports the startup: as text for people, which one process prints, as a JSON line for programs. */
  #say(site: Site, event: string, fields: Record<string, unknown>, words: string): void {
    const { settings, runtime } = site.context("cli");
    if (settings.system.logging.format === "json") site.log.info(event, fields);
    else if (runtime.workers.id === 0) this.out.line(words);
  }

  /** A site that runs without some of its code says so prominently. */
  #warnOfSafeMode(site: Site): void {
    if (!site.safe && site.off.length === 0) return;
    if (!site.context("cli").runtime.workers.isFirst) return;
    const { out } = this;
    const { yellow, bold } = out.colour;
    const off = site.off.length === 0 ? "none" : site.off.join(", ");
    if (site.safe) {
      out.error(`${yellow("!")} ${bold("SAFE MODE")}: only first-party plugins run`);
      out.error("  themes of the site are off: pages use the packaged theme");
    }
    out.error(`  disabled plugins: ${off}`);
    site.log.warn("site.without", { safe: site.safe, off: site.off });
  }
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

/** A port number. */
function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw optionError(`--port is ${JSON.stringify(text)}`, {
    fix: "pass a whole number from 0 to 65535",
  });
}
