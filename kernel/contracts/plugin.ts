/** What a plugin declares. */
import type { ZodType } from "zod";
import type { Command } from "./command.js";
import type { InspectedPlace, SettingsProblem, SettingsSchemas } from "./config.js";
import type { HookHandlers, HookMap, HookName } from "./hooks.js";
import type { Settings } from "./settings.js";
import type { SiteContext } from "./site.js";

/** What a plugin's module exports by default (through `definePlugin`, or as a plain object). */
export interface Plugin<C = unknown> {
  /** Unique; the key in the config. */
  name: string;
  version: string;
  description?: string;
  /** Range of the kernel API, checked before setup. */
  engine?: string;
  /** Set up first; absent is a boot error that names both. */
  requires?: readonly string[];
  /** Only ordering, when present. */
  after?: readonly string[];
  /** True: its failure degrades health, the server starts. */
  optional?: boolean;
  /**
   * True: there is nothing for it to do without a server (sessions, logins, deliveries). It is left
   * out of a static export, with every plugin that requires it.
   */
  onlyServing?: boolean;
  settings?: SettingsSchemas;
  /** Checks across keys, after the schemas: returns problems as config errors. */
  check?(settings: Settings): readonly SettingsProblem[];
  /** Checks against what lies in the site's folder; only `config:validate` runs them. */
  inspect?(settings: Settings, place: InspectedPlace): readonly SettingsProblem[];
  /** Schema of the plugin's own `config:` block. */
  config?: ZodType<C>;
  /** Its error codes, each with what it means and what mends it: for the documentation. */
  errors?: Readonly<Record<string, string>>;
  /** Hooks this plugin declares and fires, with their kind. */
  fires?: { [N in HookName]?: HookMap[N]["kind"] };
  hooks?: HookHandlers;
  commands?: readonly Command[];
  /** Folder with templates searched after the theme chain. */
  templates?: string;
  setup?(site: SiteContext<C>): void | Promise<void>;
}
