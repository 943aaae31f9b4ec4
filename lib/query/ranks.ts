import type { QuerySource } from "./contract.js";
import type { OrderKey } from "./order-keys.js";

/** The rank of each row by one key, from 0; equal values share a rank, absent ones have the last. */
export interface Ranks {
  readonly ofRow: Int32Array;
  /** Number of ranks, without that of absent values. */
  readonly count: number;
}

/** The ranks of all rows, ascending. */
export function ranksOf<T>(
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
  const place = (row: number): number => {
    const rank = ofRow[row] ?? count;
    return dir === "asc" || rank === count ? rank : count - 1 - rank;
  };
  const starts = new Uint32Array(count + 2);
  for (const row of rows) starts[place(row) + 1] = (starts[place(row) + 1] ?? 0) + 1;
  for (let at = 1; at < starts.length; at += 1)
    starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const rank = place(row);
    const at = starts[rank] ?? 0;
    starts[rank] = at + 1;
    sorted[at] = row;
  }
  return sorted;
}
