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

/** A problem at an offset of the file. */
export interface YamlFault {
  offset: number;
  key: string;
  received: unknown;
  expected: string;
  fix: string;
}

/** More references than this are an alias bomb. */
const MAX_ALIASES = 100;
const MAX_NODES = 50_000;
const MAX_DEPTH = 64;
/** Keys with a meaning in JavaScript and none in a configuration. */
const FORBIDDEN_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

interface Reading {
  document: Document.Parsed;
  faults: YamlFault[];
  nodes: number;
  aliases: number;
  depth: number;
  /** Anchored nodes on the path to this one: an alias to one of them is circular. */
  open: Set<unknown>;
}

/** The values of a document, with faults instead of hangs or surprises. */
export function readValues(document: Document.Parsed): {
  value: unknown;
  faults: readonly YamlFault[];
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

function fault(
  reading: Reading,
  node: unknown,
  what: Omit<YamlFault, "offset" | "key"> & { key?: string },
): void {
  reading.faults.push({ offset: offsetOf(node), key: "", ...what });
}

function offsetOf(node: unknown): number {
  if (isScalar(node) || isAlias(node) || isMap(node) || isSeq(node)) return node.range?.[0] ?? 0;
  return 0;
}
