import { z } from "zod";
import type { QueryKind, QueryName, QueryOrder, QuerySort, QuerySource } from "./contract.js";
import { toComparable } from "./comparable.js";
import { queryError, unknownName } from "./read-query.js";

/** One name of an order whose direction is known. */
export interface DirectedOrder extends QueryOrder {
  readonly dir: "asc" | "desc";
}

/** One key of an order: the values of items, and how they compare; undefined values come last. */
export interface OrderKey<T> {
  readonly name: string;
  readonly kind: QueryKind;
  readonly dir: "asc" | "desc";
  value(item: T): string | number | undefined;
  compare(a: string | number, b: string | number): number;
  /** True: texts compare by the collation. */
  readonly isCollated: boolean;
}

/** Cursors carry values, so longer texts are ordered by their beginning. */
const MAX_TEXT = 200;

/**
 * The keys of an order; absent values come last.
 * @throws HttpError 400 for an unknown name.
 */
export function orderKeys<T>(
  order: readonly DirectedOrder[],
  source: QuerySource<T>,
): OrderKey<T>[] {
  return order.map(({ name, dir }) => {
    const resolved = resolveName(source, name, "order");
    const sort = resolved.sort ?? sortOf(resolved, source);
    const value = (item: T): string | number | undefined =>
      isMissing(resolved.value(item)) ? undefined : sort.value(item);
    const compare = (a: string | number, b: string | number): number => sort.compare(a, b);
    return {
      name,
      kind: resolved.kind,
      dir,
      value,
      compare,
      isCollated: resolved.sort === undefined,
    };
  });
}

/** The meaning of a name. @throws HttpError 400 for an unknown one, with the nearest. */
export function resolveName<T>(
  source: QuerySource<T>,
  name: string,
  parameter: string,
): QueryName<T> {
  const resolved = source.find(name, parameter);
  if (resolved === undefined) throw unknownName(parameter, name, source.names());
  return resolved;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

interface ValueSort<T> extends Omit<QuerySort<T>, "value"> {
  value(item: T): string | number | undefined;
}

/** Numbers before texts; the first element of a list counts. */
function sortOf<T>(
  { kind, value, compared = value }: QueryName<T>,
  source: QuerySource<T>,
): ValueSort<T> {
  return {
    value: (item) => {
      const key = compared(item);
      const first: unknown = Array.isArray(key) ? key[0] : key;
      const comparable = toComparable(first, kind, source.timezone);
      if (comparable === null || comparable === "") return undefined;
      return typeof comparable === "string" ? comparable.slice(0, MAX_TEXT) : Number(comparable);
    },
    compare: (a, b) => {
      if (typeof a === "number") return typeof b === "number" ? a - b : -1;
      return typeof b === "number" ? 1 : source.compareTexts(a, b);
    },
  };
}

/** The rank of each row by one key, from 0; equal values share a rank, absent ones have the last. */
export interface Ranks {
  readonly ofRow: Int32Array;
  /** Number of ranks, without that of absent values. */
  readonly count: number;
}

/** The ranks of all rows, ascending. */
export function rankRows<T>(
  items: readonly T[],
  key: OrderKey<T>,
  { sortTexts }: Pick<QuerySource<T>, "sortTexts">,
): Ranks {
  const values = items.map((item) => key.value(item));
  const distinct = [...new Set(values)].filter((value) => value !== undefined);
  const texts = distinct.filter((value) => typeof value === "string");
  const isFast = sortTexts !== undefined && key.isCollated && texts.length === distinct.length;
  const sorted = isFast ? sortTexts(texts) : distinct.toSorted((a, b) => key.compare(a, b));
  const ranks = new Map<string | number, number>();
  let count = 0;
  for (const [at, value] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before !== undefined && key.compare(before, value) !== 0) count += 1;
    ranks.set(value, count);
  }
  const all = sorted.length === 0 ? 0 : count + 1;
  const ofRow = Int32Array.from(values, (value) =>
    value === undefined ? all : (ranks.get(value) ?? all),
  );
  return { ofRow, count: all };
}

/** Sorts rows by rank, stable; a counting sort, because ranks are dense. */
export function sortByRank(
  rows: Uint32Array,
  { ofRow, count }: Ranks,
  dir: "asc" | "desc",
): Uint32Array {
  const rankAt = (row: number): number => {
    const rank = ofRow[row] ?? count;
    return dir === "asc" || rank === count ? rank : count - 1 - rank;
  };
  const starts = new Uint32Array(count + 2);
  for (const row of rows) starts[rankAt(row) + 1] = (starts[rankAt(row) + 1] ?? 0) + 1;
  for (let at = 1; at < starts.length; at += 1)
    starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const rank = rankAt(row);
    const at = starts[rank] ?? 0;
    starts[rank] = at + 1;
    sorted[at] = row;
  }
  return sorted;
}

/** A place in an order: the sort values and the key of the item before it. */
interface CursorPlace {
  readonly values: readonly (string | number | null)[];
  readonly key: string;
}

const MAX_LENGTH = 6_000;
const cursorSchema = z.tuple([
  z.string(),
  z.array(z.union([z.string().max(400), z.number(), z.null()])).max(8),
  z.string().max(4_200),
]);

/** The cursor after an item. */
export function cursorAfter<T>(item: T, key: string, keys: readonly OrderKey<T>[]): string {
  const values = keys.map((one) => one.value(item) ?? null);
  return Buffer.from(JSON.stringify([signOf(keys), values, key])).toString("base64url");
}

/** @throws HttpError 400 for a text that is not a cursor of this order. */
export function readCursor<T>(text: string, keys: readonly OrderKey<T>[]): CursorPlace {
  const parsed = cursorSchema.safeParse(text.length > MAX_LENGTH ? null : parseJson(text));
  if (!parsed.success) throw queryError("cursor", "is not one that a list has returned");
  const [sign, values, key] = parsed.data;
  if (sign !== signOf(keys) || values.length !== keys.length)
    throw queryError("cursor", "belongs to a list in another order");
  return { values, key };
}

/** Compares an item with a place: negative before it, 0 at it. */
export function compareToPlace<T>(
  item: T,
  { values, key }: CursorPlace,
  keys: readonly OrderKey<T>[],
  keyOf: (item: T) => string,
): number {
  for (const [at, one] of keys.entries()) {
    const [a, b] = [one.value(item), values[at] ?? undefined];
    const missing = Number(a === undefined) - Number(b === undefined);
    if (missing !== 0) return missing;
    const order = a === undefined || b === undefined ? 0 : one.compare(a, b);
    if (order !== 0) return one.dir === "asc" ? order : -order;
  }
  const itemKey = keyOf(item);
  return itemKey < key ? -1 : Number(itemKey > key);
}

function signOf<T>(keys: readonly OrderKey<T>[]): string {
  return keys.map(({ name, dir }) => `${name}:${dir}`).join(",");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
