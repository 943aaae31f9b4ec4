/** The smallest edits that turn a value of a YAML text into another one. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { recomposed } from "./yaml-list.js";
import {
  columnOf,
  endOf,
  jsOf,
  keyRange,
  lineEnd,
  nodeOf,
  trimmedEnd,
  type Source,
} from "./yaml-places.js";
import {
  flowText,
  isEqual,
  itemText,
  keyText,
  pairText,
  valueOf,
  type Edit,
  type Parsed,
} from "./yaml-text.js";

type Values = Readonly<Record<string, unknown>>;

/** Edits of a pair whose value changes: inside the value where that is possible. */
export function pairEdits(source: Source, pair: Pair, value: unknown): readonly Edit[] {
  const node = nodeOf(pair.value);
  if (isEqual(jsOf(source, node), value)) return [];
  return innerEdits(source, node, value) ?? [wholePair(source, pair, value)];
}

/** Replaces key and value. */
export function wholePair(source: Source, pair: Pair, value: unknown): Edit {
  const { text } = source;
  const [from, keyEnd] = keyRange(pair);
  const to = endOf(source, pair);
  const indent = columnOf(text, from);
  const insert = pairText(text.slice(from, keyEnd), value, { old: valueOf(pair), indent });
  return { from, to, insert };
}

/** Edits inside a value; null: it is replaced as a whole. */
function innerEdits(source: Source, node: Parsed, value: unknown): readonly Edit[] | null {
  if (isMap(node) && isValues(value)) return mapEdits(within(source, node), node, value);
  if (isSeq(node) && Array.isArray(value)) return listEdits(within(source, node), node, value);
  return isAlias(node) || !isScalar(node) ? null : scalarEdits(source, node, value);
}

/** Replaces a text, number or switch that stands on one line by another one. */
function scalarEdits(source: Source, node: Scalar, value: unknown): readonly Edit[] | null {
  const [from, to] = node.range ?? [0, 0];
  const before = source.text.slice(from, to);
  if (!isLine(value) || before === "" || before.includes("\n") || /^[|>]/.test(before)) return null;
  const text = source.isFlow === true ? flowText(value, node) : itemText(value, { old: node });
  // The anchor stands outside the range.
  return [{ from, to, insert: node.anchor === undefined ? text : text.replace(/^&\S+ /, "") }];
}

function within(source: Source, { flow }: YAMLMap | YAMLSeq): Source {
  return flow === true ? { ...source, isFlow: true } : source;
}

function mapEdits(source: Source, map: YAMLMap, value: Values): readonly Edit[] | null {
  const pairs = map.items;
  const names = pairs.map(({ key }) => (isScalar(key) ? String(key.value) : null));
  if (pairs.length === 0 || names.includes(null)) return null;
  const added = Object.keys(value).filter((name) => !names.includes(name));
  const gone = pairs.filter((_, at) => !Object.hasOwn(value, names[at] ?? ""));
  const stays = pairs.length - gone.length > 0;
  if (!stays || (gone.length > 0 && (added.length > 0 || map.flow === true))) return null;
  const changed = pairs.flatMap((pair, at) =>
    gone.includes(pair) ? [] : pairEdits(source, pair, value[names[at] ?? ""]),
  );
  const removed = gone.map((pair) => removal(source, map, pair));
  const last = pairs.at(-1);
  if (last === undefined || added.length === 0) return [...changed, ...removed];
  return [...changed, addition(source, { map, last }, pick(value, added))];
}

/** Removes a pair with the comment behind it. */
function removal({ text }: Source, { items }: YAMLMap, pair: Pair): Edit {
  const [from] = keyRange(pair);
  const end = lineEnd(text, endOf({ text }, pair));
  if (items.at(-1) === pair) {
    const start = text.lastIndexOf("\n", from - 1);
    return { from: text[start - 1] === "\r" ? start - 1 : start, to: end, insert: "" };
  }
  const next = text.indexOf("\n", end) + 1;
  return { from, to: next + columnOf(text, from), insert: "" };
}

function addition(
  { text }: Source,
  { map, last }: { map: YAMLMap; last: Pair },
  values: Values,
): Edit {
  const end = endOf({ text }, last);
  if (map.flow === true) {
    const pairs = Object.entries(values).map(
      ([name, value]) => `${keyText(name)}: ${flowText(value)}`,
    );
    return { from: end, to: end, insert: `, ${pairs.join(", ")}` };
  }
  const at = lineEnd(text, end);
  const indent = columnOf(text, keyRange(last)[0]);
  const lines = Object.entries(values).map(
    ([name, value]) => `\n${" ".repeat(indent)}${pairText(keyText(name), value, { indent })}`,
  );
  return { from: at, to: at, insert: lines.join("") };
}

function listEdits(
  source: Source,
  list: YAMLSeq,
  value: readonly unknown[],
): readonly Edit[] | null {
  const items = list.items.map((item) => nodeOf(item));
  const old = items.map((item) => JSON.stringify(jsOf(source, item)));
  const next = value.map((item) => JSON.stringify(item));
  const isAligned =
    old.length === next.length &&
    next.every((text, at) => text === old[at] || !old.includes(text ?? ""));
  if (!isAligned) return recomposed(source, list, { value, old, next });
  const edits = items.flatMap((item, at) =>
    old[at] === next[at] ? [] : itemEdits(source, item, value[at]),
  );
  return edits.includes(null) ? null : edits.filter((edit) => edit !== null);
}

function itemEdits(source: Source, item: Parsed, value: unknown): readonly (Edit | null)[] {
  const inner = innerEdits(source, item, value);
  if (inner !== null) return inner;
  const range = item?.range;
  if (!range) return [null];
  const { text } = source;
  const dash = text.lastIndexOf("-", range[0] - 1);
  if (dash < 0 || text.slice(dash + 1, range[0]).trim() !== "") return [null];
  const insert = ` ${itemText(value, { old: item, indent: columnOf(text, dash) })}`;
  return [{ from: dash + 1, to: trimmedEnd(text, range[1], dash + 1), insert }];
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** True for values that stand on one line. */
function isLine(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === "object") return false;
  return typeof value !== "string" || !value.includes("\n");
}

function isValues(value: unknown): value is Values {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0
  );
}
