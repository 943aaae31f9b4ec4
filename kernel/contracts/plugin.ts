/** The declaration of a plugin. */
import type { ZodType } from "zod";
import type { Command } from "./command.js";
import type { InspectedSite, SettingsProblem, SettingsSchemas } from "./config.js";
import type { Diagnostic } from "./diagnostics.js";
import type { FiredHooks, HookHandlers } from "./hooks.js";
import type { Settings } from "./settings.js";
import type { SiteContext } from "./site.js";

/** A list, or a function that loads it when it is needed: a site that serves needs no commands. */
export type Loadable<T> = readonly T[] | (() => Promise<readonly T[]>);

/** Default export of a plugin's module (through `definePlugin`, or a plain object). */
export interface Plugin<C = unknown> {
  /** Unique; the key in the config: `words`. Required. */
  name: string;
  /** Its version as in package.json, in the form of semver.org: `1.0.0`. Required. */
  version: string;
  /** One sentence for `site plugin:list`: `Counts the words of pages`. Default: none. */
  description?: string;
  /** Range of the plugin API, such as `^1.0.0`, checked before setup. Default: any. */
  engine?: string;
  /**
   * Plugins set up before this one, such as `["content"]`; a missing one is a boot error that names both.
   * Default: none.
   */
  requires?: readonly string[];
  /** Plugins set up before this one, if they are selected: `["search"]`. Default: none. */
  after?: readonly string[];
  /** True: its failure only degrades health; the server still starts. Default: false. */
  optional?: boolean;
  /**
   * True: it does nothing without a server (sessions, logins, deliveries). A static export leaves it
   * out, with every plugin that requires it. Default: false.
   */
  onlyServing?: boolean;
  /**
   * Keys that it adds to `site.yaml`, `system.yaml` and `admin.yaml`, zod schemas by file and key:
   * `{ site: z.object({ tides: z.string().default("Kiel") }) }`. Default: none.
   */
  settings?: SettingsSchemas;
  /**
   * Checks across keys, after the schemas; each returned problem is a config error, `[]` means no problem:
   * `() => [{ file: "site", key: "tides", received: "", expected: "a harbour", fix: "name one" }]`. Default: none.
   */
  check?(settings: Settings): readonly SettingsProblem[];
  /**
   * As `check`, but against the files below `place.root`: `(settings, place) => []`; only `config:validate`
   * runs it. Default: none.
   */
  inspect?(settings: Settings, place: InspectedSite): readonly SettingsProblem[];
  /**
   * Zod schema of the plugin's own `config:` block; `site.config` has its type and its defaults:
   * `z.strictObject({ minimum: z.number().default(1) })`. Default: any block, unchecked.
   */
  config?: ZodType<C>;
  /**
   * Its error codes, each with its meaning and fix, for the documentation: `{ ERR_WORDS_NONE: "No page has
   * words: add one." }`. Default: none.
   */
  errors?: Readonly<Record<string, string>>;
  /** Hooks this plugin declares and fires: `[onOrderPaid]`, or `{ onOrderPaid: "notify" }`. Default: none. */
  fires?: FiredHooks;
  /**
   * Handlers by hook: `{ onPageUpdate: ({ data, log }) => log.info("words.changed", { ...data }) }`; `{
   * handler, before, after }` orders one. Default: none.
   */
  hooks?: HookHandlers;
  /**
   * Commands of `site`: `[{ name: "shop:list", summary: "List the orders", run: ({ out }) => out.line("none")
   * }]`, or a function that loads them: `() => loadCommands()`. Default: none.
   */
  commands?: Loadable<Command>;
  /**
   * Its checks for `site doctor`: `[{ name: "tides", run: () => [{ level: "ok", seen: "the service responds" }] }]`.
   * They run before `setup`, or without it. May be a function that loads them, like `commands`. Default: none.
   */
  diagnostics?: Loadable<Diagnostic>;
  /**
   * Folder of templates, searched after the theme chain: `fileURLToPath(new URL("templates",
   * import.meta.url))`. Default: none.
   */
  templates?: string;
  /**
   * Registers everything else, such as `site.http.route({ … })`; runs once at startup, after the plugins in
   * `requires` and `after`. Default: nothing.
   */
  setup?(site: SiteContext<C>): void | Promise<void>;
}
