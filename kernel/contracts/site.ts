/** A booted site, as a plugin sees it. */
import type { Caches } from "#lib/cache";
import type { Changes } from "./change-feed.js";
import type { ConfigFile, ConfigIssue, ConfigWriter } from "./config.js";
import type { Logger, Paths } from "./environment.js";
import type { Hooks } from "./hooks.js";
import type { Http } from "./http.js";
import type { SitePurpose, SiteRuntime } from "./runtime.js";
import type { EngineRegistry, ExtensionRegistry, Services } from "./services.js";
import type { Settings } from "./settings.js";

/** The argument of `setup`; the only way a plugin reaches the site. */
export interface SiteContext<C = unknown> {
  /**
   * This plugin's name.
   *
   * @example
   * site.log.info(`${site.name}.started`);
   */
  readonly name: string;
  /**
   * All settings of the site, validated, with defaults; deeply frozen.
   *
   * @example
   * const { title, theme } = site.settings.site;
   * site.log.info("greet.ready", { title, theme: theme.name });
   */
  readonly settings: Settings;
  /**
   * The plugin's own `config:` block, validated by its `config` schema.
   *
   * @example
   * import { definePlugin } from "sitewright";
   * import { z } from "zod";
   * const greet = definePlugin({
   *   name: "greet",
   *   version: "1.0.0",
   *   config: z.object({ greeting: z.string().default("Hello") }),
   *   setup: ({ config, log }) => log.info("greet.ready", { greeting: config.greeting }),
   * });
   */
  readonly config: C;
  /**
   * The log; every line names the plugin.
   *
   * @example
   * site.log.warn("weather.stale", { city: "Oslo", ageMs: 90_000 });
   */
  readonly log: Logger;
  /**
   * Absolute paths of the site's folders.
   *
   * @example
   * import { join } from "node:path";
   * const file = join(site.paths.data, "weather.json");
   */
  readonly paths: Paths;
  /**
   * The hooks: register handlers, fire your own.
   *
   * @example
   * site.hooks.on("onPageUpdate", ({ data, log }) => {
   *   log.info("notes.page_updated", { path: data.sourcePath });
   * });
   */
  readonly hooks: Hooks;
  /**
   * Routes, middleware and responses.
   *
   * @example
   * import { z } from "zod";
   * site.http.route({
   *   method: "get",
   *   path: "/api/hello",
   *   summary: "Greets by name",
   *   query: z.object({ name: z.string().default("you") }),
   *   handler: (req, res, { query }) => site.http.json(req, res, { hello: query.name }),
   * });
   */
  readonly http: Http;
  /**
   * The slots of replaceable implementations, of which one is active.
   *
   * @example
   * const mailers = site.engines.slot("mailer").names;
   */
  readonly engines: EngineRegistry;
  /**
   * The lists to which plugins add; all contributions apply.
   *
   * @example
   * site.extensions.add("pageHead", () => '<meta name="theme-color" content="#0a5">');
   */
  readonly extensions: ExtensionRegistry;
  /**
   * The ordered stream of changes.
   *
   * @example
   * site.changes.listen("audit", ({ actor, changes }) => {
   *   for (const { kind, key, op } of changes) {
   *     site.log.info("audit.change", { actor: actor?.name, op, kind, key });
   *   }
   * });
   */
  readonly changes: Changes;
  /**
   * Values built once and dropped when their dependencies change.
   *
   * @example
   * const rates = site.cache.open<string>("rates", { maxBytes: 1e6, sizeOf: ({ length }) => length });
   * const euro = await rates.get("EUR", async (entry) => {
   *   entry.until = site.runtime.clock.now() + 60_000;
   *   return (await site.use("outbound").request("https://rates.example/EUR")).body.toString();
   * });
   */
  readonly cache: Caches;
  /**
   * Offers a service under a name. @throws ERR_SERVICE_DUPLICATE.
   *
   * @example
   * declare module "sitewright" {
   *   interface Services {
   *     counter: { next(): number };
   *   }
   * }
   * let count = 0;
   * site.provide("counter", { next: () => ++count });
   */
  provide<K extends keyof Services & string>(name: K, service: Services[K]): void;
  /**
   * The service of another plugin. @throws ERR_SERVICE_UNKNOWN with the plugin to require.
   *
   * @example
   * const home = site.use("content").view().page("/");
   * const search = site.use("search", { optional: true }); // undefined if not selected
   */
  use<K extends keyof Services & string>(name: K): Services[K];
  /** The service of another plugin; undefined when that is not selected. */
  use<K extends keyof Services & string>(
    name: K,
    options: { optional: true },
  ): Services[K] | undefined;
  /**
   * When the plugin's work runs, and what the site was booted for.
   *
   * @example
   * let timer: NodeJS.Timeout | undefined;
   * site.lifecycle.onListen(() => {
   *   timer = setInterval(() => site.log.debug("poll.tick"), 60_000);
   * });
   * site.lifecycle.onClose(() => clearInterval(timer));
   */
  readonly lifecycle: SiteLifecycle;
  /**
   * Reads, checks and writes the configuration files; their only writer.
   *
   * @example
   * const { hash, text } = await site.configFiles.read("site");
   * const next = text.replace(/^title: .*$/m, "title: Harbour");
   * const problems = await site.configFiles.check("site.yaml", next);
   * if (problems.length === 0) {
   *   await site.configFiles.edit("site", () => next, { ifHash: hash });
   * }
   */
  readonly configFiles: SiteConfigFiles;
  /**
   * The runtime of the site: clock, environment, loaded modules and plugins.
   *
   * @example
   * const key = site.runtime.env.get("WEATHER_KEY");
   * const startedAt = site.runtime.clock.now();
   * const failed = site.runtime.plugins().filter(({ state }) => state === "failed");
   */
  readonly runtime: SiteRuntime;
  /**
   * Says that the site uses something that a later version of the plugin removes: logged once per code and message,
   * and listed by `site doctor` and `site upgrade --plan`. `message` says what replaces it, `since` is the version of
   * the plugin that began to warn. @throws ERR_CALL_ARGUMENT.
   *
   * @example
   * site.deprecate("SHOP_CART_HOOK", "the hook onCart is replaced by onCartChange", "2.1.0");
   */
  deprecate(code: string, message: string, since: string): void;
}
/** Startup and shutdown of a site. The functions may be called without the object. */
export interface SiteLifecycle {
  /** Work that needs the sealed registries (index, search); awaited in plugin order. */
  onReady(work: () => void | Promise<void>): void;
  /** Runs after `onReady` of all plugins when the site listens; not for commands and static exports. */
  onListen(work: () => void | Promise<void>): void;
  /**
   * Runs in the background once the site is ready and has served its first requests: when none has been
   * open for 250 ms, or after 2 s. Only closing waits for it. It starts a second later in a site that does
   * not listen, such as a command's.
   */
  afterReady(work: () => void | Promise<void>): void;
  /**
   * Checks the site before it replaces a running one: after a reload of the configuration and in an
   * upgrade. Throw to keep the running one.
   */
  onCheck(work: () => void | Promise<void>): void;
  /**
   * Runs when the open requests have ended, before any `onClose`, in plugin order: finishes work under way
   * that may still need every plugin.
   */
  beforeClose(work: () => void | Promise<void>): void;
  /** Runs when the site closes, in reverse order. */
  onClose(work: () => void | Promise<void>): void;
  /**
   * Aborted when closing begins, while open requests are still served: for streams and waits that never
   * end by themselves. Use `onClose` to finish pending work.
   */
  readonly signal: AbortSignal;
  /** `starting` until every `onReady` has finished, `draining` once closing has begun. */
  state(): "starting" | "ready" | "draining";
  /** `export`: the site is read once and written to files, never served, watched or updated. */
  readonly purpose: SitePurpose;
  /** True in safe mode (`serve --safe`): only first-party plugins, no theme of the site. */
  readonly safe: boolean;
}
/** The configuration files of a site, with the schemas of its plugins. */
export interface SiteConfigFiles extends ConfigWriter {
  /** JSON Schema of one config file, to show it or check against it. */
  schema(file: ConfigFile): Record<string, unknown>;
  /**
   * The problems the configuration would have if `file` (relative to the root; a config file, existing
   * or not) contained `text`. Empty: it is valid. Writes nothing and loads no plugin.
   */
  check(file: string, text: string): Promise<readonly ConfigIssue[]>;
}
