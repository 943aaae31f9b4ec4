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

/** What a site was booted for: to answer requests and commands, or to be written out as files. */
export type SitePurpose = "serve" | "export";
/** How a site is booted, as plain data that a worker thread can be given; see `openSite`. */
export interface SiteRecipe {
  root: string;
  /** URL of the module that exports the house. */
  house: string;
  purpose?: SitePurpose;
  /** Settings above the files. */
  overrides?: { [F in ConfigFile]?: Record<string, unknown> };
}
/** How a plugin is doing. */
export interface PluginInfo {
  readonly name: string;
  readonly version: string;
  readonly hooks: readonly string[];
  readonly state: "active" | "failed" | "disabled";
  readonly error: string | null;
  readonly firstParty: boolean;
  /** `./plugins/x.ts` or `npm:x@^1.0.0`, as the configuration names it; null for those of the house. */
  readonly src: string | null;
  /** JSON Schema of its `config:` block; null when the plugin has none. */
  configSchema(): Readonly<Record<string, unknown>> | null;
}
/** What `setup` receives; nothing else reaches a plugin. */
export interface SiteContext<C = unknown> {
  /** This plugin's name. */
  readonly name: string;
  readonly settings: Settings;
  /** The plugin's own `config:` block, validated by its `config` schema. */
  readonly config: C;
  readonly hooks: Hooks;
  readonly http: Http;
  readonly engines: EngineRegistry;
  /** The ordered stream of what changed. */
  readonly changes: Changes;
  /** Values made once and dropped when what they were made from changes. */
  readonly cache: Caches;
  /** Durable background work. */
  readonly jobs: Jobs;
  /** Offers a service under a name. Throws ERR_SERVICE_DUPLICATE. */
  provide<K extends keyof Services & string>(name: K, service: Services[K]): void;
  /** The service of another plugin. Throws ERR_SERVICE_UNKNOWN with the plugin to require. */
  use<K extends keyof Services & string>(name: K): Services[K];
  /** The service of another plugin, undefined when it is not selected. */
  find<K extends keyof Services & string>(name: K): Services[K] | undefined;
  readonly log: Logger;
  readonly trace: Trace;
  readonly paths: Paths;
  readonly clock: Clock;
  readonly env: Env;
  /** Work that needs the sealed registries (index, search); runs in plugin order, awaited. */
  onReady(work: () => void | Promise<void>): void;
  /** Runs after `onReady` of all plugins when the site listens: not for commands and static builds. */
  onListen(work: () => void | Promise<void>): void;
  /**
   * Runs in the background once the site is ready: nothing but closing waits for it. A site that does
   * not listen may be a command's or a host's: there it runs a second later.
   */
  afterReady(work: () => void | Promise<void>): void;
  /** Runs in reverse order when the site closes. */
  onClose(work: () => void | Promise<void>): void;
  /**
   * Aborted when closing begins, while open requests are still answered: for streams and waits that
   * would never end by themselves. Work that is owed ends in `onClose`.
   */
  readonly signal: AbortSignal;
  /** `export`: the site is read once, into files; nothing of it is served, watched or kept up to date. */
  readonly purpose: SitePurpose;
  /** True when only code of the house runs (`serve --safe`): no other plugin, no theme of the site. */
  readonly safe: boolean;
  /** What boots this site once more, in a worker thread: see `openSite`. */
  readonly recipe: SiteRecipe;
  /** How every plugin is doing. */
  plugins(): readonly PluginInfo[];
  /** Names of the services that are provided. */
  services(): readonly string[];
  /** `starting` until onReady is through, `draining` once closing has begun. */
  state(): "starting" | "ready" | "draining";
  /** JSON Schema of one config file, for those who show or check it. */
  configSchema(file: ConfigFile): Record<string, unknown>;
  /**
   * What would be wrong with the configuration if `file` (relative to the root, a config file or one
   * that is not there yet) held `text`. Empty: it is valid. Writes nothing and loads no plugin.
   */
  checkConfig(file: string, text: string): Promise<readonly ConfigIssue[]>;
  /** The one writer of the configuration files. */
  readonly configFiles: ConfigWriter;
  /** Loads TypeScript and TSX of the site at run time. */
  readonly modules: Modules;
  /** Folders of templates that plugins bring, in plugin order. */
  readonly templateFolders: readonly string[];
}
/** Run-time modules of a site: themes, migrations, pages written in TSX. */
export interface Modules {
  /** Exports of a module, by absolute path; errors name file, line and column. */
  load(file: string): Promise<Record<string, unknown>>;
  /** Forgets modules of the site root, so that a changed file is read again. */
  forget(): Promise<void>;
  /** Makes `import … from name` in the site's own code give the running instance. */
  provide(name: string, load: () => Promise<Record<string, unknown>>): void;
}
/** A step of the start: of the kernel (`plugin` null), or of one plugin. */
export interface BootStep {
  /** `load`: files and modules; `setup`; `hooks`: those of the kernel at the start; `ready`: onReady. */
  readonly step: "load" | "setup" | "hooks" | "ready";
  readonly plugin: string | null;
  readonly ms: number;
}
