/** Parses any YAML with the `yaml` package, within the limits of front matter. */
import { LineCounter } from "yaml";
import { readYaml, type YamlDocument } from "#lib/yaml";

/** An error in a YAML text; lines count from 1. */
export interface YamlIssue {
  message: string;
  line?: number;
}
/** A parsed map with the values dropped from it, or an error. */
export type YamlResult =
  { data: Record<string, unknown>; warnings: YamlIssue[] } | { issue: YamlIssue };

const MAX_ALIASES = 100;
const MAX_NODES = 200_000;
const MAX_DEPTH = 120;

/** Parses a YAML map: the schema of `lib/yaml`, no merge keys, no tags of its own, dates stay strings. */
export function parseYamlMap(text: string): YamlResult {
  const lines = new LineCounter();
  try {
    const document = readYaml(text, { logLevel: "silent", lineCounter: lines });
    const issue = firstIssue(document, lines);
    if (issue !== null) return { issue };
    return toCleanMap(document.toJS({ maxAliasCount: MAX_ALIASES }));
  } catch (error) {
    // The parser throws on alias bombs.
    return { issue: { message: messageOf(error) } };
  }
}

/** The column of the first error in a YAML text, from 1; null without one. */
export function firstColumn(text: string): number | null {
  const lines = new LineCounter();
  const { errors, warnings } = readYaml(text, { logLevel: "silent", lineCounter: lines });
  const problem = errors[0] ?? warnings[0];
  return problem === undefined ? null : lines.linePos(problem.pos[0]).col;
}

function firstIssue(document: YamlDocument, lines: LineCounter): YamlIssue | null {
  // The parser only warns about unknown tags; their meaning is undefined, so reject them.
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem === undefined) return null;
  return { message: problem.message, line: lines.linePos(problem.pos[0]).line };
}

/** A parsed map within the limits of front matter; reports the keys dropped from it. @throws beyond the limits. */
export function toCleanMap(value: unknown): YamlResult {
  if (value === null || value === undefined) return { data: {}, warnings: [] };
  const state: CleanState = { nodes: 0, open: new Set(), dropped: new Set() };
  const data = clean(value, state, 0);
  if (!isMap(data)) return { issue: { message: "must be a map of keys and values", line: 1 } };
  const warnings = [...state.dropped].map((key) => ({
    message: `key ${JSON.stringify(key)} is dropped`,
  }));
  return { data, warnings };
}

interface CleanState {
  nodes: number;
  /** The containers around the current value: aliases can make a value contain itself. */
  open: Set<unknown>;
  dropped: Set<string>;
}

function clean(value: unknown, state: CleanState, depth: number): unknown {
  state.nodes += 1;
  if (state.nodes > MAX_NODES) throw new Error("too many values once aliases are expanded");
  if (value === null || typeof value !== "object") return cleanScalar(value);
  if (state.open.has(value)) throw new Error("an alias makes a value contain itself");
  if (depth > MAX_DEPTH) throw new Error("nested too deeply");
  state.open.add(value);
  const copy = Array.isArray(value)
    ? value.map((item) => clean(item, state, depth + 1))
    : cleanMap(value, state, depth);
  state.open.delete(value);
  return copy;
}

function cleanScalar(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value ?? null;
}

function cleanMap(map: object, state: CleanState, depth: number): Record<string, unknown> {
  if (!isMap(map)) throw new Error("only texts, numbers, booleans, lists and maps are allowed");
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(map)) {
    if (key === "__proto__") state.dropped.add(key);
    else copy[key] = clean(item, state, depth + 1);
  }
  return copy;
}

/** True for a plain object. */
export function isMap(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
