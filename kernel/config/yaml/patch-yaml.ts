/** Sets one key of a YAML text and leaves every other byte as it is. */
import { isDeepStrictEqual } from "node:util";
import {
  Document,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  stringify,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { readYaml } from "./yaml-document.js";
import {
  columnOf,
  endOf,
  indented,
  keyEnd,
  keyStart,
  lineAfter,
  lineEnd,
  nodeOf,
  rangeOf,
} from "./yaml-positions.js";

/** Where in a text what is replaced. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}
/** The deepest map on the way to a key, and its pair for the next part. */
interface Place {
  readonly map: YAMLMap;
  readonly pair: Pair | undefined;
  /** The parts from that pair on. */
  readonly rest: readonly string[];
}

const OPTIONS = { lineWidth: 0 } as const;
const MAX_ALIASES = { maxAliasCount: 100 } as const;

/**
 * The text with a key set; null removes it. `expected`: all values afterwards. Null when no small edit
 * has that result.
 */
export function patchYaml(
  text: string,
  [path, value]: readonly [readonly string[], unknown],
  expected: unknown,
): string | null {
  const place = placeOf(readYaml(text).contents, path);
  if (place === null) return null;
  const edit = value === null ? removal(text, place) : setting(text, place, value);
  if (edit === null) return null;
  const insert = text.includes("\r\n") ? edit.insert.replaceAll("\n", "\r\n") : edit.insert;
  const next = text.slice(0, edit.from) + insert + text.slice(edit.to);
  const document = readYaml(next);
  const isRight = document.errors.length === 0 && isDeepStrictEqual(valuesOf(document), expected);
  return isRight ? next : null;
}

function valuesOf(document: ReturnType<typeof readYaml>): unknown {
  try {
    return document.toJS(MAX_ALIASES);
  } catch {
    return undefined;
  }
}

function placeOf(contents: unknown, path: readonly string[]): Place | null {
  if (!isMap(contents) || contents.items.length === 0) return null;
  const [name, ...rest] = path;
  const pair = contents.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  const value = pair?.value;
  const inner =
    isSeq(value) && rest.length > 1
      ? placeOf(value.items[Number(rest[0])], rest.slice(1))
      : rest.length > 0
        ? placeOf(value, rest)
        : null;
  return inner ?? { map: contents, pair, rest: path };
}

function setting(text: string, { map, pair, rest }: Place, value: unknown): Edit | null {
  const [name = "", ...below] = rest;
  const whole = below.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
  if (pair === undefined) return addition(text, map, { [name]: whole });
  const old = nodeOf(pair.value);
  if (isLine(text, old) && !isObject(whole)) return inPlace(old, whole, map.flow === true);
  if (map.flow === true) return null;
  const inside = below.length === 0 && Array.isArray(value) ? listEdit(text, old, value) : null;
  if (inside !== null) return inside;
  const from = keyEnd(text, pair);
  const line = stringify({ a: whole }, OPTIONS).slice("a:".length);
  return { from, to: endOf(text, pair), insert: indented(line, columnOf(text, keyStart(pair))) };
}

/** Replaces a value on one line; its quotes stay. */
function inPlace(old: Node, value: unknown, isInline: boolean): Edit {
  const [from, to] = rangeOf(old);
  const scalar = new Scalar(value);
  if (isScalar(old) && typeof value === "string" && old.type) scalar.type = old.type;
  const text = isInline
    ? stringify([scalar], { ...OPTIONS, collectionStyle: "flow" })
        .trim()
        .slice(1, -1)
        .trim()
    : stringify(scalar, OPTIONS).trimEnd();
  return { from, to, insert: text };
}

function flowText(pair: Record<string, unknown>): string {
  const document = new Document(pair);
  if (isMap(document.contents)) document.contents.flow = true;
  return document.toString({ ...OPTIONS, flowCollectionPadding: false }).trim();
}

/** Replaces the items of a list that differ, with the lines between them; null for other values. */
function listEdit(text: string, list: Node | null, value: readonly unknown[]): Edit | null {
  const items = isSeq(list) && list.flow !== true ? list.items.map((item) => nodeOf(item)) : [];
  const first = items[0] ?? null;
  if (first === null || items.includes(null) || value.length === 0) return null;
  const old = items.map((item): unknown => item?.toJSON());
  const [start, end] = difference(old, value);
  const dash = text.lastIndexOf("-", rangeOf(first)[0] - 1);
  const column = columnOf(text, dash);
  const from = lineAfter(text, items[start - 1]) ?? dash - column;
  const to = lineAfter(text, items.slice(start, end).at(-1)) ?? from;
  const added = value.slice(start, value.length - (old.length - end));
  return { from, to, insert: listText(added, { column, isFlow: isFlow(first) }) };
}

/** From the first item that differs to behind the last one, in the old list. */
function difference(old: readonly unknown[], next: readonly unknown[]): [number, number] {
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && isDeepStrictEqual(old[start], next[start])) start += 1;
  let same = 0;
  while (same < most - start && isDeepStrictEqual(old.at(-1 - same), next.at(-1 - same))) same += 1;
  return [start, old.length - same];
}

function listText(
  items: readonly unknown[],
  { column, isFlow: isInline }: { column: number; isFlow: boolean },
): string {
  if (items.length === 0) return "";
  const document = new Document(items);
  for (const item of isSeq(document.contents) ? document.contents.items : []) {
    if (isInline && (isMap(item) || isSeq(item))) item.flow = true;
  }
  const written = document.toString({ ...OPTIONS, flowCollectionPadding: false });
  return `${indented(`\n${written}`, column).slice(1)}\n`;
}

function isFlow(node: Node): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

function addition(text: string, map: YAMLMap, pair: Record<string, unknown>): Edit | null {
  const last = map.items.at(-1);
  if (last === undefined) return null;
  if (map.flow === true) {
    const end = endOf(text, last);
    return { from: end, to: end, insert: `, ${flowText(pair).slice(1, -1)}` };
  }
  const at = lineEnd(text, endOf(text, last));
  const indent = columnOf(text, keyStart(last));
  const lines = indented(`\n${stringify(pair, OPTIONS)}`, indent);
  return { from: at, to: at, insert: at === text.length ? `${lines}\n` : lines };
}

function removal(text: string, { map, pair, rest }: Place): Edit | null {
  if (pair === undefined || rest.length > 1) return null;
  if (map.flow === true || map.items.length === 1) return null;
  const start = text.lastIndexOf("\n", keyStart(pair)) + 1;
  const next = text.indexOf("\n", lineEnd(text, endOf(text, pair)));
  return { from: start, to: next === -1 ? text.length : next + 1, insert: "" };
}

/** True for a value that stands on one line and is no map or list. */
function isLine(text: string, node: Node | null): node is Node {
  if (node === null || isMap(node) || isSeq(node)) return false;
  const written = text.slice(...rangeOf(node));
  return written !== "" && !written.includes("\n") && !/^[|>*]/.test(written);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
