import { json } from "./request.js";

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
  /** Of the file, for messages. */
  readonly path: string;
  readonly hash: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
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
