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
  resolveName,
  type DirectedOrder,
  type OrderKey,
  rankRows,
  sortByRank,
  type Ranks,
} from "./order-keys.js";
import { queryError } from "./read-query.js";
import { toComparable, type Comparable } from "./comparable.js";

const MAX_COLUMNS = 32;
const MAX_SELECTIONS = 64;
const MAX_RESULTS = 64;
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

/** The items of a table, where their owner has them in some orders already. */
export interface SortedItems<T> {
  /** All items, by key; called once. */
  all(): readonly T[];
  /** All items by one name, as the table would sort them; undefined: the table sorts. */
  by(order: DirectedOrder): readonly T[] | undefined;
}

/** A condition on the rows of a table. */
interface RowTest {
  /** Equal for conditions that the same rows meet. */
  readonly id: string;
  /** The rows that meet it, as bits. */
  rows(): Uint32Array;
}

/**
 * An immutable list that queries select from. It indexes the names that they use, when they do, and keeps the
 * results of the latest queries.
 */
export class QueryTable<T> {
  readonly #given: SortedItems<T>;
  readonly #source: QuerySource<T>;
  readonly #columns = new BoundedMap<Column>(MAX_COLUMNS);
  readonly #selections = new BoundedMap<Uint32Array>(MAX_SELECTIONS);
  readonly #ranks = new BoundedMap<Ranks>(MAX_COLUMNS);
  readonly #orders = new BoundedMap<Uint32Array>(MAX_ORDERS);
  readonly #results = new BoundedMap<readonly T[]>(MAX_RESULTS);
  #items: readonly T[] | undefined;
  #rowOf: ReadonlyMap<T, number> | undefined;

  constructor(items: readonly T[] | SortedItems<T>, source: QuerySource<T>) {
    this.#given = "by" in items ? items : { all: () => items, by: () => undefined };
    this.#source = source;
  }

  /**
   * A slice of the items that a query selects; a slice of all of them is the same array each time.
   * `source`: that of the request, when what names mean depends on it.
   * @throws HttpError 400 for an unknown name or an invalid value.
   */
  select(query: TableQuery, slice: QuerySlice, source = this.#source): QueryResult<T> {
    const sorted = this.#sorted(query);
    // Names that the owner sorts by are known.
    if (sorted !== undefined && !query.cursor)
      return toSlice(sorted, slice, (last) =>
        this.#cursorAfter(last, orderKeys(query.order, source)),
      );
    const keys = orderKeys(query.order, source);
    const selected = sorted ?? this.#found(query, keys, source);
    const offset = this.#start(query.cursor, keys, selected) ?? slice.offset;
    if (query.cursor && slice.offset > 0) throw queryError("offset", "does not go with cursor");
    const part = { offset, limit: slice.limit };
    return toSlice(selected, part, (last) => this.#cursorAfter(last, keys));
  }

  #cursorAfter(last: T, keys: readonly OrderKey<T>[]): string {
    return cursorAfter(last, this.#source.key(last), keys);
  }

  /** All items, for a query without conditions and in an order that the owner has. */
  #sorted({ all, any, order }: TableQuery): readonly T[] | undefined {
    if (all.length + any.length > 0) return undefined;
    return order.length === 0 ? this.#all() : this.#sortedByOwner(order);
  }

  /** All items in an order, if the owner has them in it. */
  #sortedByOwner([first, second]: readonly DirectedOrder[]): readonly T[] | undefined {
    return first !== undefined && second === undefined ? this.#given.by(first) : undefined;
  }

  /** All items of a query, in its order. */
  #found(
    { all, any, order }: TableQuery,
    keys: readonly OrderKey<T>[],
    source: QuerySource<T>,
  ): readonly T[] {
    const groups = any.map((group) => group.map((one) => this.#test(one, source)));
    const every = all.map((one) => this.#test(one, source));
    const orderId = keys
      .map(({ name, kind, dir }) => `${kind} ${dir} ${JSON.stringify(name)}`)
      .join("\n");
    const ids = [every, ...groups].map((group) =>
      group
        .map(({ id }) => id)
        .sort()
        .join("\n"),
    );
    // JSON has no line breaks.
    const id = [orderId, ...ids].join("\n\n");
    const cached = this.#results.get(id);
    if (cached !== undefined) return cached;
    const bits = selection(every, groups);
    // Values that no item has must not evict others.
    if (bits?.some((word) => word !== 0) === false) return [];
    const rows = this.#orders.getOrInsert(orderId, () =>
      this.#ordered(keys, this.#sortedByOwner(order)),
    );
    const items = this.#all();
    const selected: T[] = [];
    for (const row of rows) {
      const item = items[row];
      if (item !== undefined && (bits === null || hasBit(bits, row))) selected.push(item);
    }
    this.#results.set(id, selected);
    return selected;
  }

  #all(): readonly T[] {
    return (this.#items ??= sortedByKey(this.#given.all(), this.#source));
  }

  #test(condition: QueryCondition, source: QuerySource<T>): RowTest {
    const { name, operator, values, parameter } = condition;
    const resolved = resolveName(source, name, parameter);
    const id = `${resolved.kind} ${operator} ${JSON.stringify([name, values])}`;
    const cached = this.#selections.get(id);
    if (cached !== undefined) return { id, rows: () => cached };
    const compiled = compileCondition(condition, resolved.kind, source);
    const rows = (): Uint32Array => {
      const bits = this.#column(condition, resolved).matching(compiled);
      if (bits.some((word) => word !== 0)) this.#selections.set(id, bits);
      return bits;
    };
    return { id, rows };
  }

  #column({ name, operator }: QueryCondition, resolved: QueryName<T>): Column {
    const { kind, compared } = resolved;
    const isCompared = compared !== undefined && !SHOWN_TEXTS.includes(operator);
    const value = (item: T): unknown => (isCompared ? compared(item) : resolved.value(item));
    return this.#columns.getOrInsert(`${kind} ${isCompared} ${name}`, () => {
      return new Column(this.#all().map(value), kind, this.#source.timezone);
    });
  }

  /** All rows in an order; `given`: the items in it, if the owner has them. */
  #ordered(keys: readonly OrderKey<T>[], list: readonly T[] | undefined): Uint32Array {
    const items = this.#all();
    if (list !== undefined) {
      const rowOf = (this.#rowOf ??= new Map(items.map((item, row) => [item, row])));
      return Uint32Array.from(list, (item) => rowOf.get(item) ?? 0);
    }
    const rank = (key: OrderKey<T>): Ranks =>
      this.#ranks.getOrInsert(`${key.kind} ${key.name}`, () => rankRows(items, key, this.#source));
    let rows: Uint32Array = Uint32Array.from(items.keys());
    for (const key of keys.toReversed()) rows = sortByRank(rows, rank(key), key.dir);
    return rows;
  }

  /** The index of the first item after the cursor; null without one. */
  #start(
    cursor: string | null,
    keys: readonly OrderKey<T>[],
    ordered: readonly T[],
  ): number | null {
    if (cursor === null || cursor === "") return null;
    const position = readCursor(cursor, keys);
    const keyOf = (item: T): string => this.#source.key(item);
    let [low, high] = [0, ordered.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = ordered[middle];
      if (item !== undefined && compareToPlace(item, position, keys, keyOf) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A slice of the found items; `cursorAfterItem`: the cursor that continues after its last one. */
function toSlice<T>(
  selected: readonly T[],
  { offset, limit }: QuerySlice,
  cursorAfterItem: (last: T) => string,
): QueryResult<T> {
  const end = Math.min(selected.length, offset + (limit ?? selected.length));
  const items = offset === 0 && end === selected.length ? selected : selected.slice(offset, end);
  const last = end < selected.length ? items.at(-1) : undefined;
  return {
    items,
    total: selected.length,
    offset,
    // Plain lists do not show it.
    get nextCursor() {
      return last === undefined ? null : cursorAfterItem(last);
    },
  };
}

/** The rows that meet every test, and every one of at least one group; null: all. */
function selection(
  every: readonly RowTest[],
  groups: readonly (readonly RowTest[])[],
): Uint32Array | null {
  const both = (tests: readonly RowTest[]): Uint32Array | null => {
    const [first, ...rest] = tests.map(({ rows }) => rows());
    return first === undefined ? null : rest.reduce(intersect, first);
  };
  const [one, ...others] = groups.flatMap((group) => both(group) ?? []);
  const either = one === undefined ? null : others.reduce(unite, one);
  const all = both(every);
  if (all === null || either === null) return all ?? either;
  return intersect(all, either);
}

function sortedByKey<T>(items: readonly T[], { key }: QuerySource<T>): readonly T[] {
  const keys = items.map((item) => key(item));
  const isSorted = keys.every((one, at) => at === 0 || (keys[at - 1] ?? "") <= one);
  if (isSorted) return items;
  const keyed = items.map((item, at) => ({ item, own: keys[at] ?? "" }));
  keyed.sort((a, b) => (a.own < b.own ? -1 : Number(a.own > b.own)));
  return keyed.map(({ item }) => item);
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
    const findCode = (value: unknown): number => {
      const assigned = codes.get(value);
      if (assigned !== undefined) return assigned;
      const code = this.#values.length;
      codes.set(value, code);
      this.#values.push(value);
      this.#comparables.push(toComparable(value, kind, timezone));
      return code;
    };
    for (const [row, value] of rows.entries()) {
      if (Array.isArray(value)) this.#lists.set(row, value.map(findCode));
      this.#codes[row] = Array.isArray(value)
        ? LIST
        : value === undefined
          ? ABSENT
          : findCode(value);
    }
  }

  /** The rows in which the condition holds, as bits. */
  matching({ isNegated, scalar, element }: CompiledCondition): Uint32Array {
    const test = (isWanted: CompiledCondition["scalar"]): readonly boolean[] =>
      this.#values.map((value, code) => isWanted(value, this.#comparables[code] ?? null));
    const scalars = test(scalar);
    const elements = this.#lists.size === 0 || element === scalar ? scalars : test(element);
    const bits = new Uint32Array(Math.ceil(this.#codes.length / 32));
    if (!isNegated && !scalars.includes(true) && !elements.includes(true)) return bits;
    for (let row = 0; row < this.#codes.length; row += 1) {
      const code = this.#codes[row] ?? ABSENT;
      const isMatch =
        code >= 0 ? scalars[code] === true : code === LIST && this.#has(row, elements);
      // `bits` has a word for every row.
      if (isMatch !== isNegated) bits[row >>> 5] = (bits[row >>> 5] ?? 0) | (1 << (row & 31));
    }
    return bits;
  }

  #has(row: number, elements: readonly boolean[]): boolean {
    return this.#lists.get(row)?.some((code) => elements[code]) === true;
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
