import { expectKind, expectMethods } from "#lib/values";
import { SiteError } from "#lib/errors";
import { inputJsonSchema } from "#lib/schema";
import type {
  Authorization,
  Clock,
  EngineRegistry,
  EngineSlot,
  Env,
  Logger,
  Paths,
  PluginInfo,
  ReloadStatus,
  Settings,
  SiteConfigFiles,
  SiteContext,
  SiteLifecycle,
  SitePurpose,
  SiteRecipe,
  SiteRuntime,
  Workers,
  WriteLock,
} from "../contracts.js";
import { callCheck } from "../call-check.js";
import { ChangeFeed } from "../changes/change-feed.js";
import { Deprecations } from "../deprecations.js";
import { SiteCaches } from "../caches.js";
import { SlotRegistry } from "../engines/engines.js";
import { ExtensionLists } from "../extensions.js";
import {
  announcerCalls,
  announcerProblem,
  authorizationCalls,
  authorizationProblem,
  changeStoreCalls,
  changeStoreProblem,
  announcesForRoot,
  leaderCalls,
  leaderProblem,
  ownProcess,
} from "../engines/kernel-engines.js";
import { HookBus } from "../hooks/hooks.js";
import { SitePath, Timings } from "#lib/http";
import { SiteHttp } from "../http/site-http.js";
import { ServiceRegistry, serviceUser } from "../services.js";
import { SiteTrace } from "../trace.js";
import { BootReport } from "./boot-report.js";
import { Lifecycle } from "./lifecycle.js";
import { withMovedObjects } from "./moved-members.js";
import type { ModuleLoader } from "#lib/modules";
import type { LoadedPlugin } from "./load-plugins.js";

/** Shared by all plugins of a site. */
export interface SharedSite {
  settings: Settings;
  pluginConfigs: ReadonlyMap<string, unknown>;
  configFiles: SiteConfigFiles;
  plugins: readonly LoadedPlugin[];
  paths: Paths;
  log: Logger;
  env: Env;
  clock: Clock;
  modules: ModuleLoader;
  purpose: SitePurpose;
  safe: boolean;
  recipe: SiteRecipe;
  workers: Workers;
  handlerLimitMs?: number | undefined;
  reloads: ReloadStatus;
}

const workCheck = (step: string): ((work: unknown) => void) =>
  callCheck(
    `lifecycle.${step}`,
    { work: expectKind("function") },
    `site.lifecycle.${step}(async () => { … })`,
  );
/** Checks of the calls of `site.lifecycle`. */
const assertWork = {
  onReady: workCheck("onReady"),
  onListen: workCheck("onListen"),
  afterReady: workCheck("afterReady"),
  onCheck: workCheck("onCheck"),
  beforeClose: workCheck("beforeClose"),
  onClose: workCheck("onClose"),
};

/** The registries of one site, and each plugin's view of them. */
export class SiteRegistries {
  /** Aborted when closing begins: stops endless work. */
  readonly closing = new AbortController();
  /** Aborted when open requests have ended and their notifications are handled. */
  readonly ended = new AbortController();
  readonly services = new ServiceRegistry();
  readonly slots: SlotRegistry;
  readonly extensions: ExtensionLists;
  readonly lifecycle = new Lifecycle();
  readonly bus: HookBus;
  readonly cache: SiteCaches;
  readonly changes: ChangeFeed;
  readonly http: SiteHttp;
  /** Time limit of a handler, in ms, if it is not the default. */
  readonly handlerLimitMs: number | undefined;
  /** Durations per request: in dev mode. */
  readonly timings: Timings | null;
  readonly trace: SiteTrace;
  readonly boot = new BootReport();
  readonly deprecations = new Deprecations();
  readonly failures = new Map<string, string>();
  state: "starting" | "ready" | "draining" = "starting";
  /** The engine slots, as the kernel opens them. */
  readonly #engines: EngineRegistry;
  readonly #lock: EngineSlot<WriteLock>;
  readonly #authorization: EngineSlot<Authorization>;
  readonly #shared: SharedSite;

  constructor(shared: SharedSite) {
    this.#shared = shared;
    this.handlerLimitMs = shared.handlerLimitMs;
    this.slots = new SlotRegistry({
      maxLimitMs: shared.handlerLimitMs,
      lists: () => this.extensions.list().map(({ list }) => list),
    });
    this.#engines = this.slots.forPlugin("kernel");
    this.lifecycle.onClose("kernel", () => this.slots.close());
    // Its errors are mostly those of the work that it runs.
    this.#lock = this.#engines.open("writeLock", expectMethods(["run"]));
    this.#authorization = this.#engines.open(
      "authorization",
      authorizationProblem,
      authorizationCalls,
    );
    const timings = shared.env.mode === "dev" ? new Timings() : null;
    this.timings = timings;
    this.trace = new SiteTrace(timings);
    this.bus = new HookBus({
      settings: () => shared.settings,
      log: shared.log,
      signal: this.ended.signal,
      now: () => performance.now(),
      isDev: shared.env.mode === "dev",
      handlerLimitMs: shared.handlerLimitMs,
      timed: timings === null ? undefined : (name, ms) => timings.add(name, ms),
    });
    this.extensions = new ExtensionLists(
      shared.log,
      () => performance.now(),
      shared.handlerLimitMs,
    );
    this.cache = new SiteCaches(shared.clock);
    this.changes = this.#createChanges();
    this.http = new SiteHttp(
      this.bus.forPlugin("kernel", -1),
      new SitePath(shared.settings.site.url),
    );
  }

  /** With the slots that connect several nodes. */
  #createChanges(): ChangeFeed {
    const { clock, log, workers } = this.#shared;
    this.#lock.register("process", ownProcess.writeLock);
    this.#lock.activate("process");
    const announcers = this.#engines.open("changeAnnouncer", announcerProblem, announcerCalls);
    announcers.register("process", ownProcess.changeAnnouncer);
    announcers.activate("process");
    const leader = this.#engines.open("leader", leaderProblem, leaderCalls);
    leader.register("process", { claim: () => Promise.resolve(workers.isLeader) });
    leader.activate("process");
    let isServing = false;
    this.lifecycle.onListen("kernel", () => void (isServing = true));
    const announces = (): Promise<boolean> => announcesForRoot(leader.active, isServing);
    const stores = this.#engines.open("changeStore", changeStoreProblem, changeStoreCalls);
    const feed = new ChangeFeed({
      clock,
      log,
      cache: this.cache,
      store: () => stores.active,
      announcer: () => announcers.active,
      announces,
      // A node that shares the root has stored its changes in the same place. Of several workers, only one stores.
      isForeign(origin) {
        const isWriter = workers.id === 0 || workers.isLeader;
        return isWriter && announcers.active.sharesRoot?.(origin) !== true;
      },
    });
    stores.register("memory", feed.memory);
    stores.activate("memory");
    this.lifecycle.onClose("kernel", () => feed.close());
    return feed;
  }

  /**
   * Checks the permission of a route.
   * @throws HttpError 503 in a site without the plugin that knows identities, which does not serve.
   */
  readonly authorize: Authorization["authorize"] = (req, permission) =>
    this.#authorization.active.authorize(req, permission);

  /** @throws ERR_ROUTE_DUPLICATE, ERR_ROUTE_PERMISSION. */
  assertSound(): void {
    const { purpose, log } = this.#shared;
    const slot = this.#authorization;
    // An export and a command leave out what only a server needs.
    if (purpose === "serve" || slot.activeName !== null) {
      this.http.assertSound(slot.activeName === null ? null : slot.active);
    }
    for (const replaced of this.http.replaced) log.info("route.replaced", { ...replaced });
  }

  /** @throws ERR_WORKERS_ALONE when workers do not learn what the others write. */
  assertConnected(): void {
    const isConnected = this.#lock.activeName !== "process";
    if (this.#shared.workers.id === 0 || isConnected) return;
    throw new SiteError("ERR_WORKERS_ALONE", "no selected plugin connects the workers", {
      fix: "select the plugin cluster, or serve with --workers 1",
    });
  }

  /** The context that `setup` of a plugin receives. */
  contextFor(plugin: string, rank: number): SiteContext {
    const { settings, paths, configFiles, pluginConfigs } = this.#shared;
    const log = this.#shared.log.child({ plugin });
    return withMovedObjects({
      name: plugin,
      settings,
      config: pluginConfigs.get(plugin) ?? {},
      log,
      paths,
      hooks: this.bus.forPlugin(plugin, rank),
      http: this.http.forPlugin(plugin),
      engines: this.slots.forPlugin(plugin),
      extensions: this.extensions.forPlugin(plugin, rank),
      changes: this.changes,
      cache: this.cache,
      provide: (name, service) => this.services.provide(plugin, name, service),
      use: serviceUser(this.services, this.#userName(plugin)),
      lifecycle: this.#lifecycleFor(plugin),
      configFiles,
      runtime: this.#runtime(),
      deprecate: (code, message, since) =>
        this.deprecations.add({ plugin, code, message, since }, log),
    });
  }

  /** A context may also be that of a command, or of the host. */
  #userName(name: string): string {
    const isPlugin = this.#shared.plugins.some(({ plugin }) => plugin.name === name);
    if (isPlugin) return `plugin "${name}"`;
    return name === "cli" ? "the command" : `the host "${name}"`;
  }

  #lifecycleFor(plugin: string): SiteLifecycle {
    const register = (step: keyof typeof assertWork) => (work: () => void | Promise<void>) => {
      assertWork[step](work);
      this.lifecycle[step](plugin, work);
    };
    return {
      onReady: register("onReady"),
      onListen: register("onListen"),
      afterReady: register("afterReady"),
      onCheck: register("onCheck"),
      beforeClose: register("beforeClose"),
      onClose: register("onClose"),
      signal: this.closing.signal,
      state: () => this.state,
      purpose: this.#shared.purpose,
      safe: this.#shared.safe,
    };
  }

  #runtime(): SiteRuntime {
    const { clock, env, modules, recipe, plugins, workers, reloads } = this.#shared;
    return {
      clock,
      env,
      trace: this.trace,
      modules,
      recipe,
      workers,
      templateFolders: plugins.flatMap((loaded) => loaded.plugin.templates ?? []),
      ...reloads,
      plugins: () => this.pluginInfos(),
      services: () => this.services.names(),
      deprecations: () => this.deprecations.list(),
    };
  }

  /** The state of every plugin, in plugin order. */
  pluginInfos(): PluginInfo[] {
    return this.#shared.plugins.map(({ plugin, firstParty, src }) => ({
      name: plugin.name,
      version: plugin.version,
      hooks: Object.keys(plugin.hooks ?? {}),
      state: this.failures.has(plugin.name) ? "failed" : "active",
      // Shown in responses: the location of the site on this machine is private.
      error: this.failures.get(plugin.name)?.replaceAll(this.#shared.paths.root, ".") ?? null,
      firstParty,
      src,
      engine: plugin.engine ?? null,
      settingKeys: (file) => Object.keys(plugin.settings?.[file]?.shape ?? {}),
      configSchema: () => (plugin.config === undefined ? null : inputJsonSchema(plugin.config)),
    }));
  }
}
