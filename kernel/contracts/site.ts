/** A booted site, as a plugin sees it. */
import type { Caches } from "./cache.js";
import type { Changes } from "./changes.js";
import type { ConfigFile, ConfigIssue, ConfigWriter } from "./config.js";
import type { Clock, Env, Logger, Paths } from "./environment.js";
import type { Hooks } from "./hooks.js";
import type { Http } from "./http.js";
import type { Jobs } from "./jobs.js";
import type { EngineRegistry, Services } from "./services.js";
import type { Settings } from "./settings.js";
import type { Trace } from "./trace.js";

/** What a site was booted for: to serve requests and commands, or to be exported as files. */
export type SitePurpose = "serve" | "export";
/** How to boot a site, as plain data that can be passed to a worker thread; see `openSite`. */
export interface SiteRecipe {
  root: string;
  /** URL of the module that exports the host with its first-party plugins. */
  firstParty: string;
  purpose?: SitePurpose;
  /** Settings that override the files. */
  overrides?: { [F in ConfigFile]?: Record<string, unknown> };
}
/** The state of a plugin. */
export interface PluginInfo {
  readonly name: string;
  readonly version: string;
  readonly hooks: readonly string[];
  readonly state: "active" | "failed" | "disabled";
  readonly error: string | null;
  readonly firstParty: boolean;
  /** `./plugins/x.ts` or `npm:x@^1.0.0`, as configured; null for first-party plugins. */
  readonly src: string | null;
  /** JSON Schema of its `config:` block; null when the plugin has none. */
  configSchema(): Readonly<Record<string, unknown>> | null;
}
/** The argument of `setup`; the only way a plugin reaches the site. */
export interface SiteContext<C = unknown> {
  /** This plugin's name. */
  readonly name: string;
  readonly settings: Settings;
  /** The plugin's own `config:` block, validated by its `config` schema. */
  readonly config: C;
  readonly log: Logger;
  readonly paths: Paths;
  readonly hooks: Hooks;
  readonly http: Http;
  readonly engines: EngineRegistry;
  /** The ordered stream of changes. */
  readonly changes: Changes;
  /** Values built once and dropped when their dependencies change. */
  readonly cache: Caches;
  /** Durable background work. */
  readonly jobs: Jobs;
  /** Offers a service under a name. @throws ERR_SERVICE_DUPLICATE. */
  provide<K extends keyof Services & string>(name: K, service: Services[K]): void;
  /** The service of another plugin. @throws ERR_SERVICE_UNKNOWN with the plugin to require. */
  use<K extends keyof Services & string>(name: K): Services[K];
  /** The service of another plugin; undefined when that is not selected. */
  use<K extends keyof Services & string>(
    name: K,
    options: { optional: true },
  ): Services[K] | undefined;
  /** When the plugin's work runs, and what the site was booted for. */
  readonly lifecycle: SiteLifecycle;
  /** Reads, checks and writes the configuration files; their only writer. */
  readonly configFiles: SiteConfigFiles;
  /** What the site runs on: clock, environment, loaded modules and plugins. */
  readonly runtime: SiteRuntime;
}
/** Startup and shutdown of a site. The functions may be called without the object. */
export interface SiteLifecycle {
  /** Work that needs the sealed registries (index, search); awaited in plugin order. */
  onReady(work: () => void | Promise<void>): void;
  /** Runs after `onReady` of all plugins when the site listens; not for commands and static exports. */
  onListen(work: () => void | Promise<void>): void;
  /**
   * Runs in the background once the site is ready; only closing waits for it. It starts a second later
   * in a site that does not listen, such as a command's.
   */
  afterReady(work: () => void | Promise<void>): void;
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
/** What a site runs on. */
export interface SiteRuntime {
  readonly clock: Clock;
  readonly env: Env;
  readonly trace: Trace;
  /** Loads TypeScript and TSX of the site at run time. */
  readonly modules: Modules;
  /** Boots the same site again, in a worker thread: see `openSite`. */
  readonly recipe: SiteRecipe;
  /** Template folders of plugins, in plugin order. */
  readonly templateFolders: readonly string[];
  /** The state of every plugin. */
  plugins(): readonly PluginInfo[];
  /** Names of the provided services. */
  services(): readonly string[];
}
/** Run-time modules of a site: themes, migrations, TSX pages. */
export interface Modules {
  /** Exports of a module, by absolute path; errors name file, line and column. */
  load(file: string): Promise<Record<string, unknown>>;
  /** Invalidates modules of the site root, so that changed files are reloaded. */
  invalidate(): Promise<void>;
  /** Resolves `import … from name` in the site's own code to the running instance. */
  provide(name: string, load: () => Promise<Record<string, unknown>>): void;
}
/** A step of the startup: of the kernel (`plugin` null), or of one plugin. */
export interface BootStep {
  /** `load`: files and modules; `setup`; `hooks`: startup hooks of the kernel; `ready`: onReady. */
  readonly step: "load" | "setup" | "hooks" | "ready";
  readonly plugin: string | null;
  readonly ms: number;
}
