/** YAML for plugins, in types of our own: plugins do not depend on the version of the package `yaml`. */
import { parseYaml } from "./parse-yaml.js";

/** A parsed YAML text that can be edited; comments and order are preserved. */
export interface YamlDocument {
  /** Syntax errors, in order. */
  readonly errors: readonly YamlMistake[];
  readonly warnings: readonly YamlMistake[];
  /** A node of the package `yaml`, for `isMap` and the like; null for an empty text. */
  readonly contents: unknown;
  readonly commentBefore: string | null;
  /** With `keepScalar` the node of a plain value instead of the value. */
  get(key: unknown, keepScalar?: boolean): unknown;
  set(key: unknown, value: unknown): void;
  delete(key: unknown): boolean;
  hasIn(path: readonly string[]): boolean;
  getIn(path: readonly string[]): unknown;
  setIn(path: readonly string[], value: unknown): void;
  deleteIn(path: readonly string[]): boolean;
  /** A node of maps, lists and values, for `set`. */
  createNode(value: unknown): unknown;
  /** The values. @throws for more than `maxAliasCount` aliases. */
  toJS(options?: { maxAliasCount?: number }): unknown;
  toString(options?: { lineWidth?: number }): string;
}
/** A syntax error in a YAML text. */
export interface YamlMistake {
  readonly message: string;
  /** Start and end, in UTF-16 units. */
  readonly pos: readonly [start: number, end: number];
}
/** Parser options; the rest follows YAML 1.2. */
export interface YamlReading {
  version?: "1.1" | "1.2";
  schema?: "core" | "failsafe" | "json" | "yaml-1.1";
  /** True: `<<` merges. */
  merge?: boolean;
  /** `silent`: documents after the first are allowed. */
  logLevel?: "silent" | "error" | "warn";
  /** Called for each line: one of the package `yaml` maps offsets to lines. */
  lineCounter?: {
    lineStarts: number[];
    addNewLine(offset: number): number;
    linePos(offset: number): { line: number; col: number };
  };
}

/**
 * Parses YAML within limits: at most 120 levels deep, aliases included, and 400,000 tokens long. Never
 * throws; problems are in the document's `errors`.
 */
export function readYaml(text: string, reading: YamlReading = {}): YamlDocument {
  return parseYaml(text, reading);
}
