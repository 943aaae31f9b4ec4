import { BoundedMap, isRecord } from "#lib/values";
import type {
  QueryCondition,
  QueryName,
  QueryResult,
  QuerySlice,
  QuerySource,
} from "./contract.js";
import { compileCondition, type CompiledCondition } from "./conditions.js";
import {
  compareToPlace,
  cursorAfter,
  readCursor,
  orderKeys,
  type DirectedOrder,
  type OrderKey,
  ranksOf,
  sortByRank,
  type Ranks,
} from "./order-keys.js";
import { queryError, unknownName } from "./read-query.js";
import { toComparable, type Comparable } from "./comparable.js";

const MAX_COLUMNS = 32;
const MAX_SELECTIONS = 64;
const MAX_ORDERS = 16;

/** Operators that read the text which an item shows. */
const SHOWN_TEXTS: readonly string[] = ["is", "contains", "startsWith"];

/** The conditions and the order of a query. */
export interface TableQuery {
  readonly all: readonly QueryCondition[];
  readonly any: readonly (readonly QueryCondition[])[];
  /** Empty: by key. */
  readonly order: readonly DirectedOrder[];
  /** Null or empty: from the start. */
  readonly cursor: string | null;
}

/** The rows of a query, before a part of them is taken. */
interface OrderedRows<T> {
  readonly keys: readonly OrderKey<T>[];
  /** All rows, in order. */
  readonly rows: Uint32Array;
  /** The rows that meet the conditions; null: all. */
  readonly bits: Uint32Array | null;
}

/** An immutable list that queries select from. It indexes the names that they use, when they do. */
export class QueryTable<T> {
  readonly #items: readonly T[];
  readonly #source: QuerySource<T>;
  readonly #columns = new BoundedMap<Column>(MAX_COLUMNS);
  readonly #selections = new BoundedMap<Uint32Array>(MAX_SELECTIONS);
  readonly #ranks = new BoundedMap<Ranks>(MAX_COLUMNS);
  readonly #orders = new BoundedMap<Uint32Array>(MAX_ORDERS);

  constructor(items: readonly T[], source: QuerySource<T>) {
    this.#items = sortedByKey(items, source);
    this.#source = source;
  }

  /**
   * `source`: that of the request, when what names mean depends on it.
   * @throws HttpError 400 for an unknown name or an invalid value.
   */
  select(query: TableQuery, slice: QuerySlice, source = this.#source): QueryResult<T> {
    const nameOf = (parameter: string) => (name: string) => resolveName(source, name, parameter);
    const keys = orderKeys(query.order, source, nameOf("order"));
    const bits = this.#selection(query, source);
    const rows = this.#ordered(keys);
    const total = bits === null ? this.#items.length : countBits(bits);
    const { from, skip, before } = this.#part(query, slice, { keys, rows, bits });
    const picked = pick(rows, bits, { from, skip, limit: slice.limit ?? this.#items.length });
    const items = picked.flatMap((row) => this.#items[row] ?? []);
    const last = items.at(-1);
    const isMore = last !== undefined && before + items.length < total;
    const nextCursor = isMore ? cursorAfter(last, this.#source.key(last), keys) : null;
    return { items, total, offset: before, nextCursor };
  }

  /** Where a part begins: a row, how many results to skip from there, and how many are before the part. */
  #part(
    { cursor }: TableQuery,
    { offset }: QuerySlice,
    { keys, rows, bits }: OrderedRows<T>,
  ): { from: number; skip: number; before: number } {
    const from = this.#start(cursor, keys, rows);
    if (from === null) return { from: 0, skip: offset, before: offset };
    if (offset > 0) throw queryError("offset", "does not go with cursor");
    return { from, skip: 0, before: countBefore(rows, bits, from) };
  }

  /** Null: all rows. */
  #selection({ all, any }: TableQuery, source: QuerySource<T>): Uint32Array | null {
    const both = (group: readonly QueryCondition[]): Uint32Array | null => {
      const [first, ...rest] = group.map((condition) => this.#matching(condition, source));
      return first === undefined ? null : rest.reduce(intersect, first);
    };
    const groups = any.flatMap((group) => both(group) ?? []);
    const [one, ...others] = groups;
    const either = one === undefined ? null : others.reduce(unite, one);
    const every = both(all);
    if (every === null || either === null) return every ?? either;
    return intersect(every, either);
  }

  #matching(condition: QueryCondition, source: QuerySource<T>): Uint32Array {
    const { name, operator, values, parameter } = condition;
    const found = resolveName(source, name, parameter);
    const compiled = compileCondition(condition, found.kind, source);
    const key = JSON.stringify([name, found.kind, operator, values]);
    return this.#selections.getOrInsert(key, () =>
      this.#column(condition, found).matching(compiled),
    );
  }

  #column({ name, operator }: QueryCondition, found: QueryName<T>): Column {
    const { kind, compared } = found;
    const isCompared = compared !== undefined && !SHOWN_TEXTS.includes(operator);
    const value = (item: T): unknown => (isCompared ? compared(item) : found.value(item));
    return this.#columns.getOrInsert(`${kind} ${isCompared} ${name}`, () => {
      return new Column(this.#items.map(value), kind, this.#source.timezone);
    });
  }

  #ordered(keys: readonly OrderKey<T>[]): Uint32Array {
    const all = (): Uint32Array => Uint32Array.from(this.#items.keys());
    const key = JSON.stringify(keys.map(({ name, kind, dir }) => [name, kind, dir]));
    return this.#orders.getOrInsert(`${key} ${keys.length > 1}`, () =>
      keys
        .toReversed()
        .reduce((rows, one) => sortByRank(rows, this.#rank(one, keys.length), one.dir), all()),
    );
  }

  #rank(key: OrderKey<T>, count: number): Ranks {
    return this.#ranks.getOrInsert(`${key.kind} ${count > 1} ${key.name}`, () =>
      ranksOf(this.#items, key, this.#source),
    );
  }

  /** The first row after the cursor; null without one. */
  #start(cursor: string | null, keys: readonly OrderKey<T>[], rows: Uint32Array): number | null {
    if (cursor === null || cursor === "") return null;
    const place = readCursor(cursor, keys);
    const keyOf = (item: T): string => this.#source.key(item);
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[rows[middle] ?? 0];
      if (item !== undefined && compareToPlace(item, place, keys, keyOf) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The meaning of a name. @throws HttpError 400 for an unknown one, with the nearest. */
export function resolveName<T>(
  source: QuerySource<T>,
  name: string,
  parameter: string,
): QueryName<T> {
  const found = source.find(name, parameter);
  if (found === undefined) throw unknownName(parameter, name, source.names());
  return found;
}

function sortedByKey<T>(items: readonly T[], { key }: QuerySource<T>): readonly T[] {
  const keys = items.map((item) => key(item));
  const isSorted = keys.every((one, at) => at === 0 || (keys[at - 1] ?? "") <= one);
  if (isSorted) return items;
  const keyed = items.map((item, at) => ({ item, own: keys[at] ?? "" }));
  keyed.sort((a, b) => (a.own < b.own ? -1 : Number(a.own > b.own)));
  return keyed.map(({ item }) => item);
}

function countBefore(rows: Uint32Array, bits: Uint32Array | null, end: number): number {
  if (bits === null) return end;
  let count = 0;
  for (let at = 0; at < end; at += 1) count += Number(hasBit(bits, rows[at] ?? 0));
  return count;
}

interface PickedPart {
  /** Where the part begins in `rows`. */
  from: number;
  /** How many results to skip from there. */
  skip: number;
  limit: number;
}

function pick(
  rows: Uint32Array,
  bits: Uint32Array | null,
  { from, skip, limit }: PickedPart,
): number[] {
  if (bits === null) return [...rows.subarray(from + skip, from + skip + limit)];
  const picked: number[] = [];
  let left = skip;
  for (let at = from; at < rows.length && picked.length < limit; at += 1) {
    const row = rows[at] ?? 0;
    if (!hasBit(bits, row)) continue;
    if (left > 0) left -= 1;
    else picked.push(row);
  }
  return picked;
}

/** An item with just these names; absent values are left out. */
export function pickFields<T>(item: T, names: readonly QueryName<T>[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const { path, value } of names) {
    const own = value(item);
    if (own !== undefined) put(picked, path, own);
  }
  return picked;
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  // A copy: a whole object that was picked before belongs to the item.
  const next = isRecord(inner) ? { ...inner } : {};
  put(next, rest, value);
  target[key] = next;
}

const ABSENT = -1;
const LIST = -2;

/**
 * The values of one name in every row, each distinct value stored once: a condition tests distinct values
 * instead of rows.
 */
class Column {
  /** Per row: the number of its value, `ABSENT` or `LIST`. */
  readonly #codes: Int32Array;
  readonly #lists = new Map<number, readonly number[]>();
  readonly #values: unknown[] = [];
  readonly #comparables: Comparable[] = [];

  constructor(rows: readonly unknown[], kind: QueryName<unknown>["kind"], timezone: string) {
    this.#codes = new Int32Array(rows.length);
    const codes = new Map<unknown, number>();
    const codeOf = (value: unknown): number => {
      const known = codes.get(value);
      if (known !== undefined) return known;
      const code = this.#values.length;
      codes.set(value, code);
      this.#values.push(value);
      this.#comparables.push(toComparable(value, kind, timezone));
      return code;
    };
    for (const [row, value] of rows.entries()) {
      if (Array.isArray(value)) this.#lists.set(row, value.map(codeOf));
      this.#codes[row] = Array.isArray(value) ? LIST : value === undefined ? ABSENT : codeOf(value);
    }
  }

  /** The rows in which the condition holds, as bits. */
  matching({ isNegated, scalar, element }: CompiledCondition): Uint32Array {
    const test = (isWanted: CompiledCondition["scalar"]): Uint8Array =>
      Uint8Array.from(this.#values, (value, code) =>
        Number(isWanted(value, this.#comparables[code] ?? null)),
      );
    const scalars = test(scalar);
    const elements = this.#lists.size === 0 || element === scalar ? scalars : test(element);
    const bits = new Uint32Array(Math.ceil(this.#codes.length / 32));
    for (let row = 0; row < this.#codes.length; row += 1) {
      const code = this.#codes[row] ?? ABSENT;
      const isMatch = code >= 0 ? scalars[code] === 1 : code === LIST && this.#has(row, elements);
      // `bits` has a word for every row.
      if (isMatch !== isNegated) bits[row >>> 5] = (bits[row >>> 5] ?? 0) | (1 << (row & 31));
    }
    return bits;
  }

  #has(row: number, elements: Uint8Array): boolean {
    return this.#lists.get(row)?.some((code) => elements[code] === 1) === true;
  }
}

// Sets of rows have one bit per row.

/** Rows of both. */
function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((word, at) => word & (b[at] ?? 0));
}

/** Rows of either. */
function unite(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((word, at) => word | (b[at] ?? 0));
}

function hasBit(bits: Uint32Array, row: number): boolean {
  return (((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
}

/** Number of rows. */
function countBits(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) {
    let rest = word - ((word >>> 1) & 0x55555555);
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
    count += (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return count;
}
