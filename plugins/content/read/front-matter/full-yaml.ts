/** Maps of YAML and TOML within the limits of front matter. */
import { messageOf } from "#lib/errors";
import { readYaml, type YamlDocument } from "#lib/yaml";

/** An error in a YAML text; lines count from 1. */
export interface YamlIssue {
  message: string;
  line?: number;
}
/** A parsed map with the values dropped from it, or an error. */
export type YamlResult =
  | {
      data: Record<string, unknown>;
      /** The map with numbers and booleans as they stand in the file; null when none is written in another way. */
      texts: Record<string, unknown> | null;
      warnings: YamlIssue[];
    }
  | { issue: YamlIssue };

const MAX_NODES = 200_000;
const MAX_DEPTH = 120;

/** Parses a YAML map: the schema of `lib/yaml`, no merge keys, no tags of its own, dates stay strings. */
export function parseYamlMap(text: string): YamlResult {
  const document = readFull(text);
  const { mistake, values, texts } = document;
  if (mistake !== null) {
    return { issue: { message: `${mistake.message}; ${mistake.fix}`, line: mistake.line } };
  }
  try {
    return toCleanMap(values, texts, (path) => document.lineOf(path));
  } catch (error) {
    // Too many values.
    return { issue: { message: messageOf(error) } };
  }
}

/** The column of the first error in a YAML text, from 1; null without one. */
export function firstColumn(text: string): number | null {
  return readFull(text).mistake?.column ?? null;
}

function readFull(text: string): YamlDocument {
  return readYaml(text, { allowsMore: true, rejectsTags: true });
}

/**
 * A parsed map within the limits of front matter; reports the keys dropped from it. `texts`: the same map with
 * numbers and booleans as they stand in the file; `lineOf`: the line of a path. @throws beyond the limits.
 */
export function toCleanMap(
  value: unknown,
  texts: unknown,
  lineOf: (path: readonly (string | number)[]) => number | undefined = () => undefined,
): YamlResult {
  if (value === null || value === undefined) return { data: {}, texts: null, warnings: [] };
  const state: CleanState = { nodes: 0, path: [], dropped: new Map() };
  const data = clean(value, state);
  if (!isMap(data)) {
    const actual = Array.isArray(data) ? "a list" : "one value";
    const message = `it is ${actual}, and must be a map of keys and values: write \`key: value\` lines`;
    return { issue: { message, line: 1 } };
  }
  const warnings = [...state.dropped].map(([key, path]) => {
    const line = lineOf(path);
    const message = `key ${JSON.stringify(key)} is dropped; give it another name`;
    return { message, ...(line !== undefined && { line }) };
  });
  return { data, texts: texts === value ? null : cleanTexts(texts), warnings };
}

function cleanTexts(texts: unknown): Record<string, unknown> | null {
  const map = clean(texts, { nodes: 0, path: [], dropped: new Map() });
  return isMap(map) ? map : null;
}

interface CleanState {
  nodes: number;
  /** Keys and positions that lead to the current value. */
  readonly path: (string | number)[];
  /** Dropped keys, and where the first of each name stands. */
  readonly dropped: Map<string, readonly (string | number)[]>;
}

function clean(value: unknown, state: CleanState): unknown {
  state.nodes += 1;
  if (state.nodes > MAX_NODES) throw new Error("too many values once aliases are expanded");
  if (value === null || typeof value !== "object") return cleanScalar(value);
  if (state.path.length > MAX_DEPTH) throw new Error("nested too deeply");
  if (!Array.isArray(value)) return cleanMap(value, state);
  return value.map((item, at) => cleanInside(item, at, state));
}

function cleanInside(value: unknown, part: string | number, state: CleanState): unknown {
  state.path.push(part);
  const copy = clean(value, state);
  state.path.pop();
  return copy;
}

function cleanScalar(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value ?? null;
}

function cleanMap(map: object, state: CleanState): Record<string, unknown> {
  if (!isMap(map)) throw new Error("only texts, numbers, booleans, lists and maps are allowed");
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(map)) {
    if (key !== "__proto__") copy[key] = cleanInside(item, key, state);
    else if (!state.dropped.has(key)) state.dropped.set(key, [...state.path, key]);
  }
  return copy;
}

/** True for a plain object. */
export function isMap(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
