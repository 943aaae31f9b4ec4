/** The configuration files: what plugins say of their keys, what is wrong with a file, who writes it. */
import type { ZodObject } from "zod";

/** The three configuration files. */
export type ConfigFile = "site" | "system" | "admin";
/** A plugin's part of the config files: per file, key to zod schema, deeply merged by the kernel. */
export type SettingsSchemas = { [F in ConfigFile]?: ZodObject };
/** A problem found by `Plugin.check`. */
export interface SettingsProblem {
  file: ConfigFile;
  /** Dotted key, as the user writes it. */
  key: string;
  received: unknown;
  expected: string;
  fix: string;
}
/** What `Plugin.inspect` may look at. */
export interface InspectedPlace {
  /** Absolute site root. */
  readonly root: string;
  /** Names of the plugins that are loaded. */
  readonly plugins: readonly string[];
  /** True when plugins of the site's own, or from npm, are selected: they may bring what is not known here. */
  readonly hasOwnPlugins: boolean;
}
/** The configuration before any plugin is loaded: merged, neither checked nor with defaults. */
export type RawConfig = Readonly<Record<ConfigFile, Readonly<Record<string, unknown>>>>;
/** A plugin by name, with its `config:` block, as the config selects it. */
export interface PluginEntry {
  name?: string;
  src?: string;
  config?: Record<string, unknown>;
  enabled: boolean;
}
/** One thing wrong with the configuration (specification: `config:validate`). Secrets are masked. */
export interface ConfigIssue {
  /** Relative to the site root. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Dotted. */
  key: string;
  received: unknown;
  expected: string;
  fix: string;
}
/** A configuration file as it stands. */
export interface ConfigText {
  /** Relative to the site root; where it would be made when it is not there. */
  readonly path: string;
  readonly exists: boolean;
  readonly text: string;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}
/** Reads and writes the configuration files; what would not be valid is not written. */
export interface ConfigWriter {
  read(file: ConfigFile): Promise<ConfigText>;
  /**
   * Makes a file's next text and writes it, one edit at a time; answers the text that stands. Throws
   * ERR_CONFIG_CHANGED (409) when `ifHash` is not the file's, ERR_CONFIG_REFUSED (400) with every
   * problem when the result would not be valid, ERR_CONFIG_LOCKED (503); the file then stands as it was.
   */
  edit(
    file: ConfigFile,
    next: (before: ConfigText) => string,
    options?: { ifHash?: string },
  ): Promise<ConfigText>;
  /** Throws ERR_CONFIG_REFUSED (400; 413 for a text that is too large). */
  check(path: string, text: string): Promise<void>;
}
