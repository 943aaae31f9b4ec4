/** The options with which a site boots, and its members: see `boot/create-site.ts`. */
import type { Server } from "node:http";
import type { SharedPort } from "#lib/http";
import type { LoadSiteOptions } from "./boot/load-site.js";
import type { FileText } from "./config/parse-files.js";
import type {
  BootStep,
  Clock,
  Env,
  Logger,
  ReloadStatus,
  Services,
  SiteContext,
  Workers,
} from "./contracts.js";
import type { HostHandler } from "./http/host-handler.js";

/** Options of `createSite`. */
export interface SiteOptions extends LoadSiteOptions {
  clock?: Clock;
  /** Default: configured by `system.logging`, to standard output. */
  log?: Logger;
  /** Default: this process serves alone. */
  workers?: Workers;
  /**
   * Time limit of a handler of a hook, and of a contribution to an extension list, in ms. A request that has no
   * response then is reported. Default: 5,000.
   */
  handlerLimitMs?: number;
  /** The findings of the reloads of this server; default: it never reloads. */
  reloads?: ReloadStatus;
}
/** A booted site. */
export interface Site {
  /** The context of a selected plugin; `site` itself is not one of them. */
  context(plugin: string): SiteContext;
  use<K extends keyof Services & string>(name: K): Services[K];
  find<K extends keyof Services & string>(name: K): Services[K] | undefined;
  /** Step 8 without a port: the content index is ready when it resolves. */
  start(): Promise<void>;
  /** Steps 7 and 8: resolves with the port once it listens; `ready` resolves when the index is loaded. */
  listen(port: number, host?: string): Promise<number>;
  /** Gets ready, then listens: for a worker beside others that serve. */
  listenWhenReady(port: number, host?: string): Promise<number>;
  /** Steps 7 and 8 for a site that will serve without a port of its own: on a front, or through `handler`. */
  prepare(): Promise<void>;
  /** Runs the checks of the plugins (`onCheck`). @throws the error of the first one that fails. */
  check(): Promise<void>;
  /** Serves the connections of a port from now on, in place of the site that did. */
  serveOn(front: SharedPort): void;
  /** Closes a site that another one has replaced: clients that are connected notice nothing. */
  leave(): Promise<void>;
  readonly ready: Promise<void>;
  /** Its own server, which need not listen. */
  readonly server: Server;
  /**
   * The whole site, panel included, as a handler of an Express app: `app.use("/docs", site.handler)`. The
   * path is that of `url` in site.yaml. Responds 503 until `prepare` has finished.
   */
  readonly handler: HostHandler;
  readonly log: Logger & { flush?(): void };
  readonly env: Env;
  /** Time limit of open requests when the site closes (`SITE_SHUTDOWN_TIMEOUT_MS`), in ms. */
  readonly shutdownMs: number;
  /** Plugins of the configuration that were left out (`safe`, `without`). */
  readonly off: readonly string[];
  readonly safe: boolean;
  /** Absolute files of the site root that its plugins were loaded from. */
  readonly sources: readonly string[];
  /** The configuration files that it was booted with. */
  readonly configTexts: readonly FileText[];
  /** Durations of the startup steps so far. */
  bootSteps(): readonly BootStep[];
  /**
   * Sets readiness to 503 and serves on for `server.drain_seconds`, so that balancers send requests to
   * other nodes before the port closes.
   */
  retire(): Promise<void>;
  /** Sets readiness to 503, finishes open requests, closes plugins in reverse order. */
  close(): Promise<void>;
}
