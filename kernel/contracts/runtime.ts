/** The runtime of a site: how it was booted, its plugins and its run-time modules. */
import type { ConfigFile } from "./config.js";
import type { ReloadStatus } from "./reload.js";
import type { Clock, Env } from "./environment.js";
import type { Trace } from "./trace.js";
import type { Workers } from "./workers.js";

/** Reason for which a site was booted: to serve requests and commands, or to be exported as files. */
export type SitePurpose = "serve" | "export";
/** A site to boot, as plain data that can be passed to a worker thread; see `bootWithoutPort`. */
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
  /** The range of the plugin API that it needs; null when it states none. */
  readonly engine: string | null;
  /** Its top-level keys in a configuration file. */
  settingKeys(file: ConfigFile): readonly string[];
  /** JSON Schema of its `config:` block; null when the plugin has none. */
  configSchema(): Readonly<Record<string, unknown>> | null;
}
/** The clock, the environment, the modules and the plugins of a site. */
export interface SiteRuntime extends ReloadStatus {
  readonly clock: Clock;
  readonly env: Env;
  readonly trace: Trace;
  /** Loads TypeScript and TSX of the site at run time. */
  readonly modules: Modules;
  /** Boots the same site again, in a worker thread: see `bootWithoutPort`. */
  readonly recipe: SiteRecipe;
  /** The workers of this server, and which of them leads. */
  readonly workers: Workers;
  /** Template folders of plugins, in plugin order. */
  readonly templateFolders: readonly string[];
  /** The state of every plugin. */
  plugins(): readonly PluginInfo[];
  /** Names of the provided services. */
  services(): readonly string[];
  /** What the site has used so far that a later version removes. */
  deprecations(): readonly Deprecation[];
}
/** Something that a site uses and that a later version of a plugin removes; see `site.deprecate`. */
export interface Deprecation {
  /** The plugin that removes it. */
  readonly plugin: string;
  /** Names it in searches and logs, such as `SHOP_CART_HOOK`. */
  readonly code: string;
  /** What is used, and what replaces it. */
  readonly message: string;
  /** The version of the plugin that began to warn. */
  readonly since: string;
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
