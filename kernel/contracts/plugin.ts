/** What a plugin declares. */
import type { ZodType } from "zod";
import type { Command } from "./command.js";
import type { InspectedSite, SettingsProblem, SettingsSchemas } from "./config.js";
import type { Diagnostic } from "./diagnostics.js";
import type { FiredHooks, HookHandlers } from "./hooks.js";
import type { Settings } from "./settings.js";
import type { SiteContext } from "./site.js";

/** Default export of a plugin's module (through `definePlugin`, or a plain object). */
export interface Plugin<C = unknown> {
  /** Unique; the key in the config. */
  name: string;
  /** Its version, as in package.json: `1.0.0`. */
  version: string;
  /** One sentence for `site plugin:list`. Default: none. */
  description?: string;
  /** Range of the plugin API, such as `^1.0.0`, checked before setup. Default: any. */
  engine?: string;
  /** Plugins set up before this one; a missing one is a boot error that names both. */
  requires?: readonly string[];
  /** Plugins set up before this one, if they are selected. */
  after?: readonly string[];
  /** True: its failure only degrades health; the server still starts. Default: false. */
  optional?: boolean;
  /**
   * True: it does nothing without a server (sessions, logins, deliveries). A static export leaves it
   * out, with every plugin that requires it. Default: false.
   */
  onlyServing?: boolean;
  /** Keys that it adds to `site.yaml`, `system.yaml` and `admin.yaml`: zod schemas by file and key. */
  settings?: SettingsSchemas;
  /** Checks across keys, after the schemas; the returned problems are config errors. */
  check?(settings: Settings): readonly SettingsProblem[];
  /** Checks against the files of the site; only `config:validate` runs them. */
  inspect?(settings: Settings, place: InspectedSite): readonly SettingsProblem[];
  /** Zod schema of the plugin's own `config:` block; `site.config` has its type and its defaults. */
  config?: ZodType<C>;
  /** Its error codes, each with its meaning and fix, for the documentation. */
  errors?: Readonly<Record<string, string>>;
  /** Hooks this plugin declares and fires: `[onOrderPaid]`, or `{ onOrderPaid: "notify" }`. */
  fires?: FiredHooks;
  /** Handlers by hook; `{ handler, before, after }` orders one. */
  hooks?: HookHandlers;
  /** Commands of `site`: `[{ name: "shop:list", summary: "List the orders", run: ({ out }) => out.line("none") }]`. */
  commands?: readonly Command[];
  /** Its checks for `site doctor`. They run before `setup`, or without it. */
  diagnostics?: readonly Diagnostic[];
  /** Folder of templates, searched after the theme chain. */
  templates?: string;
  /** Registers everything else; runs once at startup, after the plugins in `requires` and `after`. */
  setup?(site: SiteContext<C>): void | Promise<void>;
}
