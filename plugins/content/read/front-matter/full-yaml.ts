/** Parses any YAML with the `yaml` package, within the limits of front matter. */
import { isNode, isScalar, LineCounter, visit } from "yaml";
import { messageOf } from "#lib/errors";
import { readYaml, textsOf, type YamlDocument } from "#lib/yaml";

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
    const values = document.toJS({ maxAliasCount: MAX_ALIASES });
    return toCleanMap(values, textsOf(document, values), (key) => lineOfKey(document, key, lines));
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
  return {
    message: `${problem.message}; ${problem.fix}`,
    line: lines.linePos(problem.pos[0]).line,
  };
}

/** The line of the first key of this name, in any map; undefined without one. */
function lineOfKey(
  { contents }: YamlDocument,
  name: string,
  lines: LineCounter,
): number | undefined {
  let start: number | undefined;
  visit(isNode(contents) ? contents : null, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.value !== name) return undefined;
      start = key.range?.[0];
      return visit.BREAK;
    },
  });
  return start === undefined ? undefined : lines.linePos(start).line;
}

/**
 * A parsed map within the limits of front matter; reports the keys dropped from it. `texts`: the same map with
 * numbers and booleans as they stand in the file; `lineOf`: the line of a key. @throws beyond the limits.
 */
export function toCleanMap(
  value: unknown,
  texts: unknown,
  lineOf: (key: string) => number | undefined = () => undefined,
): YamlResult {
  if (value === null || value === undefined) return { data: {}, texts: null, warnings: [] };
  const state: CleanState = { nodes: 0, open: new Set(), dropped: new Set() };
  const data = clean(value, state, 0);
  if (!isMap(data)) {
    const found = Array.isArray(data) ? "a list" : "one value";
    const message = `it is ${found}, and must be a map of keys and values: write \`key: value\` lines`;
    return { issue: { message, line: 1 } };
  }
  const warnings = [...state.dropped].map((key) => {
    const line = lineOf(key);
    const message = `key ${JSON.stringify(key)} is dropped; give it another name`;
    return { message, ...(line !== undefined && { line }) };
  });
  return { data, texts: texts === value ? null : cleanTexts(texts), warnings };
}

function cleanTexts(texts: unknown): Record<string, unknown> | null {
  const map = clean(texts, { nodes: 0, open: new Set(), dropped: new Set() }, 0);
  return isMap(map) ? map : null;
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
