/** The configuration files: the keys of plugins, problems in a file, the writer. */
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
  /** The file with the mistake, from the site root, when it is not a configuration file; `key` is then a key of that file. */
  place?: { file: string; line: number };
}
/** The site that `Plugin.inspect` examines. */
export interface InspectedSite {
  /** Absolute site root. */
  readonly root: string;
  /** Names of the loaded plugins. */
  readonly plugins: readonly string[];
  /** True when third-party plugins are selected: they may define names that are unknown here. */
  readonly hasOwnPlugins: boolean;
}
/** The configuration before any plugin is loaded: merged, not validated, without defaults. */
export type RawConfig = Readonly<Record<ConfigFile, Readonly<Record<string, unknown>>>>;
/** A plugin by name, with its `config:` block, as the configuration selects it. */
export interface PluginEntry {
  name?: string;
  src?: string;
  config?: Record<string, unknown>;
  enabled: boolean;
}
/** A problem in the configuration. Secrets are masked. */
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
/** A configuration file as it is on disk. */
export interface ConfigText {
  /** Relative to the site root; where it would be created when it does not exist. */
  readonly path: string;
  readonly exists: boolean;
  readonly text: string;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}
/** Reads and writes the configuration files; rejects changes that would make them invalid. */
export interface ConfigWriter {
  read(file: ConfigFile): Promise<ConfigText>;
  /**
   * Writes the text that `edit` returns for the current one, one edit at a time; resolves with the text
   * on disk. On failure the file is unchanged.
   * @throws ERR_CONFIG_CHANGED (409) when `ifHash` does not match, ERR_CONFIG_REFUSED (400) with every
   * problem when the result would be invalid, ERR_CONFIG_LOCKED (503).
   */
  edit(
    file: ConfigFile,
    next: (before: ConfigText) => string,
    options?: { ifHash?: string },
  ): Promise<ConfigText>;
  /** @throws ERR_CONFIG_REFUSED (400; 413 for a text that is too large). */
  assertValid(path: string, text: string): Promise<void>;
}
