import type { QueryKind, QueryName, QueryOrder, QuerySort, QuerySource } from "./contract.js";
import { toComparable } from "./comparable.js";

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

/** The keys of an order. With several, absent values come last; a list with one key has its own rule. */
export function orderKeys<T>(
  order: readonly (QueryOrder & { dir: "asc" | "desc" })[],
  source: QuerySource<T>,
  nameOf: (name: string) => QueryName<T>,
): OrderKey<T>[] {
  return order.map(({ name, dir }) => {
    const found = nameOf(name);
    const own = found.sort ?? sortOf(found, source);
    const isAbsent = order.length > 1 || found.sort === undefined;
    const value = (item: T): string | number | undefined =>
      isAbsent && isMissing(found.value(item)) ? undefined : own.value(item);
    const compare = (a: string | number, b: string | number): number => own.compare(a, b);
    return { name, kind: found.kind, dir, value, compare, isCollated: found.sort === undefined };
  });
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
      const own = compared(item);
      const first: unknown = Array.isArray(own) ? own[0] : own;
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
