/** A YAML file of a site as read: a map, its problems with positions, and limits for what people write. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type Pair,
  type YAMLMap,
} from "yaml";
import { type FileProblem, type KeyPath, isRecord } from "#lib/values";
import { Lines, offsetOf, rangeStart, textsOf, type Position } from "./document.js";
import { yamlFaults } from "./mistakes.js";
import { MAX_ALIASES, parseYaml } from "./parse.js";

/** A file as read: its values and their positions. */
export interface YamlSource {
  /** Relative to the site root. */
  readonly file: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The same values, with numbers and booleans as they are written. */
  readonly texts: unknown;
  readonly problems: readonly FileProblem[];
  /** Position of the key (or list item) at `path`; undefined when the file has none there. */
  position(path: KeyPath): Position | undefined;
}

/** The line of the key at `path`, or of the nearest one above that the file has; undefined without one. */
export function nearestLine(source: YamlSource | null, path: KeyPath): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const position = source?.position(path.slice(0, length));
    if (position !== undefined) return position.line;
  }
  return undefined;
}

/** Larger than any real configuration; a larger file is a mistake or an attack. */
const MAX_BYTES = 1024 * 1024;

/** Parses `bytes` as a YAML mapping. Never throws: `problems` lists errors with their position. */
export function parseYamlSource(file: string, bytes: Uint8Array): YamlSource {
  const text = decode(bytes);
  if (text === null) {
    const fix = "save it as UTF-8 and keep data and content out of it";
    return brokenSource(file, {
      received: "other bytes",
      expected: "UTF-8 text of at most 1 MB",
      fix,
    });
  }
  try {
    return fromDocument(file, text, parseYaml(text, { resolveKnownTags: false }));
  } catch (error) {
    const received = error instanceof Error ? error.message : String(error);
    return brokenSource(file, { received, expected: "valid YAML", fix: "simplify the file" });
  }
}

/** A source that could not be parsed at all. */
export function brokenSource(
  file: string,
  problem: Pick<FileProblem, "received" | "expected" | "fix">,
): YamlSource {
  const problems = [{ file, line: 1, column: 1, key: "", ...problem }];
  return { file, data: {}, texts: {}, problems, position: () => undefined };
}

function fromDocument(file: string, text: string, document: Document.Parsed): YamlSource {
  const lines = new Lines(text);
  const faults = yamlFaults(text, [...document.errors, ...document.warnings]);
  const syntax = faults.map((mistake): FileProblem => {
    const place = lines.at(mistake.pos[0]);
    const received = text.split("\n")[place.line - 1]?.trim() ?? "";
    const expected = `valid YAML: ${mistake.message}`;
    return { file, ...place, key: "", received, expected, fix: mistake.fix };
  });
  if (syntax.length > 0) {
    return { file, data: {}, texts: {}, problems: syntax, position: () => undefined };
  }
  const { value, faults: wrong } = boundedValues(document);
  const problems = wrong.map(({ offset, ...fault }) => ({ file, ...lines.at(offset), ...fault }));
  if (value !== null && !isRecord(value)) {
    const received = Array.isArray(value) ? "a list" : value;
    problems.push({
      file,
      line: 1,
      column: 1,
      key: "",
      received,
      expected: "keys and values",
      fix: "write `key: value` lines",
    });
  }
  return {
    file,
    data: isRecord(value) ? value : {},
    // With a fault, aliases may have no end.
    texts: wrong.length === 0 ? textsOf(document, value) : value,
    problems,
    position: (path) => {
      const offset = offsetOf(document, path);
      return offset === undefined ? undefined : lines.at(offset);
    },
  };
}

function decode(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_BYTES) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A problem at an offset of the file. */
interface ValueFault {
  offset: number;
  key: string;
  received: unknown;
  expected: string;
  fix: string;
}

const MAX_NODES = 50_000;
const MAX_DEPTH = 64;
/** Keys with a meaning in JavaScript and none in a configuration. */
const FORBIDDEN_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

interface Reading {
  document: Document.Parsed;
  faults: ValueFault[];
  nodes: number;
  aliases: number;
  depth: number;
  /** Anchored nodes on the path to this one: an alias to one of them is circular. */
  open: Set<unknown>;
}

/** The values of a document, with faults instead of hangs or surprises. */
export function boundedValues(document: Document.Parsed): {
  value: unknown;
  faults: readonly ValueFault[];
} {
  const reading: Reading = {
    document,
    faults: [],
    nodes: 0,
    aliases: 0,
    depth: 0,
    open: new Set(),
  };
  const value = readNode(document.contents, reading);
  return { value, faults: reading.faults };
}

function readNode(node: unknown, reading: Reading): unknown {
  if (node === null || node === undefined) return null;
  reading.nodes += 1;
  if (reading.nodes === MAX_NODES + 1) {
    fault(reading, node, {
      received: `more than ${MAX_NODES} values`,
      expected: "a configuration file",
      fix: "keep data and content out of it",
    });
  }
  if (reading.nodes > MAX_NODES) return null;
  if (isScalar(node)) return node.value;
  if (isAlias(node)) return readAlias(node, reading);
  return readNested(node, reading);
}

function readNested(node: unknown, reading: Reading): unknown {
  if (reading.depth >= MAX_DEPTH) {
    fault(reading, node, {
      received: "a value nested deeper",
      expected: `at most ${MAX_DEPTH} levels`,
      fix: "simplify the nesting",
    });
    return null;
  }
  reading.depth += 1;
  reading.open.add(node);
  const value = isMap(node)
    ? readMap(node, reading)
    : isSeq(node)
      ? node.items.map((item) => readNode(item, reading))
      : null;
  reading.open.delete(node);
  reading.depth -= 1;
  return value;
}

function readMap(node: YAMLMap, reading: Reading): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const pair of node.items) {
    const key = readKey(pair, reading);
    if (key !== null) entries.push([key, readNode(pair.value, reading)]);
  }
  return Object.fromEntries(entries);
}

function readKey(pair: Pair, reading: Reading): string | null {
  const { key } = pair;
  if (!isScalar(key)) {
    fault(reading, key, {
      received: "a list, mapping or reference as a key",
      expected: "a plain key",
      fix: "write the key as text",
    });
    return null;
  }
  const text = String(key.value);
  if (!FORBIDDEN_KEYS.includes(text)) return text;
  fault(reading, key, {
    key: text,
    received: text,
    expected: "another key",
    fix: "remove the key",
  });
  return null;
}

function readAlias(alias: Alias, reading: Reading): unknown {
  const target = alias.resolve(reading.document);
  reading.aliases += 1;
  if (!target) {
    fault(reading, alias, {
      received: `*${alias.source}`,
      expected: "an anchor defined above",
      fix: `define &${alias.source} or write the value out`,
    });
    return null;
  }
  if (reading.open.has(target)) {
    fault(reading, alias, {
      received: `*${alias.source}`,
      expected: "a reference that does not contain itself",
      fix: "write the value out",
    });
    return null;
  }
  if (reading.aliases === MAX_ALIASES + 1) {
    fault(reading, alias, {
      received: `more than ${MAX_ALIASES} references`,
      expected: `at most ${MAX_ALIASES}`,
      fix: "write the repeated values out",
    });
  }
  return reading.aliases > MAX_ALIASES ? null : readNode(target, reading);
}

interface NodeFault extends Omit<ValueFault, "offset" | "key"> {
  /** Absent: the fault is not that of a key. */
  key?: string;
}

function fault(reading: Reading, node: unknown, what: NodeFault): void {
  reading.faults.push({ offset: rangeStart(node) ?? 0, key: "", ...what });
}
