import { json } from "../request.js";
import type { InstalledTheme as Theme } from "../../../../render/contract.js";

/** A configuration file. */
export type SettingsFile = "site" | "system" | "admin";
/** A part of a JSON Schema, as far as the forms read it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}
/** The values of a file with their schema; secrets are masked. */
export interface Settings {
  readonly file: SettingsFile;
  /** The path of the file, for messages. */
  readonly path: string;
  readonly hash: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
}
/** The settings of a plugin. */
export interface PluginSettings {
  readonly name: string;
  readonly version: string;
  readonly state: string;
  /** Null for plugins of the server itself. */
  readonly src: string | null;
  /** Its keys in the configuration files. */
  readonly keys: Readonly<Record<SettingsFile, readonly string[]>>;
  /** Key of its `config:` block; null: site.yaml has no entry for it. */
  readonly at: string | null;
  /** The schema of the block; null without one. */
  readonly schema: JsonSchema | null;
  readonly values: Readonly<Record<string, unknown>>;
}
/** All plugins, with the file of their entries. */
export interface PluginList {
  readonly items: readonly PluginSettings[];
  readonly path: string;
  readonly hash: string;
}
/** A dotted key with its new value; null removes the key. */
export interface SettingChange {
  readonly key: string;
  readonly value: unknown;
}

/** Values and schema of a configuration file. */
export function readSettings(file: SettingsFile): Promise<Settings> {
  return json(`/settings/${file}`);
}

/**
 * Sets keys, all or none.
 * @throws ApiError 400 with `details` for wrong values, 409 when the file has another hash.
 */
export function changeSettings(
  file: SettingsFile,
  changes: readonly SettingChange[],
  hash: string,
): Promise<unknown> {
  return json(`/settings/${file}`, { method: "PATCH", body: { changes }, ifMatch: hash });
}

/** Every plugin with its settings. */
export function listPluginSettings(): Promise<PluginList> {
  return json("/settings/plugins");
}

/** Sets keys of a plugin's block. @throws ApiError like `changeSettings`. */
export function changePluginSettings(
  name: string,
  changes: readonly SettingChange[],
  hash: string,
): Promise<unknown> {
  const path = `/settings/plugins/${encodeURIComponent(name)}`;
  return json(path, { method: "PATCH", body: { changes }, ifMatch: hash });
}

export type { Preset, InstalledTheme as Theme } from "../../../../render/contract.js";

/** All themes. */
export interface Themes {
  readonly items: readonly Theme[];
  /** The theme that draws the pages now. */
  readonly active: string;
  /** Source path of the home page. */
  readonly home: string | null;
}

/** The themes that can be chosen. */
export function listThemes(): Promise<Themes> {
  return json("/themes");
}
