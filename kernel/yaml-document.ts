/** YAML for plugins, in types of our own: plugins do not depend on the version of the package `yaml`. */
import { parseYaml } from "./parse-yaml.js";

/** A YAML text that can be read and edited; comments and order survive. */
export interface YamlDocument {
  /** What is wrong with the text, in its order. */
  readonly errors: readonly YamlMistake[];
  readonly warnings: readonly YamlMistake[];
  /** A node of the package `yaml`, for `isMap` and its like; null for an empty text. */
  readonly contents: unknown;
  readonly commentBefore: string | null;
  /** With `keepScalar` the node of a plain value, not the value. */
  get(key: unknown, keepScalar?: boolean): unknown;
  set(key: unknown, value: unknown): void;
  delete(key: unknown): boolean;
  hasIn(path: readonly string[]): boolean;
  getIn(path: readonly string[]): unknown;
  setIn(path: readonly string[], value: unknown): void;
  deleteIn(path: readonly string[]): boolean;
  /** A node of maps, lists and values, for `set`. */
  createNode(value: unknown): unknown;
  /** The values. Throws for aliases beyond `maxAliasCount`. */
  toJS(options?: { maxAliasCount?: number }): unknown;
  toString(options?: { lineWidth?: number }): string;
}
/** A mistake in a YAML text. */
export interface YamlMistake {
  readonly message: string;
  /** Begin and end, in UTF-16 units. */
  readonly pos: readonly [start: number, end: number];
}
/** How a text is read; the rest is as YAML 1.2 has it. */
export interface YamlReading {
  version?: "1.1" | "1.2";
  schema?: "core" | "failsafe" | "json" | "yaml-1.1";
  /** True: `<<` merges. */
  merge?: boolean;
  /** `silent`: documents after the first are no mistake. */
  logLevel?: "silent" | "error" | "warn";
  /** Told of each line: one of the package `yaml` gives the places of mistakes. */
  lineCounter?: {
    lineStarts: number[];
    addNewLine(offset: number): number;
    linePos(offset: number): { line: number; col: number };
  };
}

/**
 * Reads YAML within limits: at most 100 levels deep, aliases followed, and 400,000 tokens long. Never
 * throws; what is wrong stands in the document's `errors`.
 */
export function readYaml(text: string, reading: YamlReading = {}): YamlDocument {
  return parseYaml(text, reading);
}
