/** All listable pages of a generation in each sort order; changes are merged without a full sort. */
import { compareTexts, sortByText, compareUnits } from "#lib/text";
import type { Sliced } from "#lib/concurrency";
import type { PageEntry } from "../contract.js";

/** A way to sort pages; `tree` is depth first, siblings by order and title. */
export type OrderBy = "tree" | "date" | "title" | "order" | "route";
/** Ascending or descending. */
export type Direction = "asc" | "desc";
/** A sort order of entries. */
export type Comparator = (a: PageEntry, b: PageEntry) => number;

/** Titles compare by their first characters, so that a cursor can carry what they are sorted by. */
const MAX_TITLE = 200;

// Above this many changes a full sort costs less than merging.
const MERGE_LIMIT = 1000;

/** False for a page without an order: it comes last. */
export function hasOrder({ order, isOrdered }: Pick<PageEntry, "order" | "isOrdered">): boolean {
  return order !== 0 || isOrdered === true;
}

/** The sort value of `order`: pages without one come last. */
export function effectiveOrder(entry: Pick<PageEntry, "order" | "isOrdered">): number {
  return hasOrder(entry) ? entry.order : Number.MAX_SAFE_INTEGER;
}

function toTime({ moment }: PageEntry): number {
  return moment ?? -Number.MAX_SAFE_INTEGER;
}

const ascending: Readonly<Record<Exclude<OrderBy, "tree">, Comparator>> = {
  // A date without a time means the start of the day.
  date: (a, b) => compareUnits(a.date ?? "", b.date ?? "") || toTime(a) - toTime(b),
  title: (a, b) => compareTexts(a.title.slice(0, MAX_TITLE), b.title.slice(0, MAX_TITLE)),
  order: (a, b) => effectiveOrder(a) - effectiveOrder(b),
  route: (a, b) => compareUnits(a.route, b.route),
};

/** Pages without the value come last in either direction. */
function compareAbsent(by: Exclude<OrderBy, "tree">, a: PageEntry, b: PageEntry): number {
  if (by === "date") return Number(a.date === null) - Number(b.date === null);
  return by === "order" ? Number(!hasOrder(a)) - Number(!hasOrder(b)) : 0;
}

/** The comparator of an order; ties break by route, then path, in either direction. */
export function toComparator(by: Exclude<OrderBy, "tree">, dir: Direction): Comparator {
  const compare = ascending[by];
  const sign = dir === "asc" ? 1 : -1;
  return (a, b) => compareAbsent(by, a, b) || sign * compare(a, b) || compareAddress(a, b);
}

/** True for pages that belong in lists: with a route, not a module, not `unlisted`. */
export function isListable(entry: PageEntry): boolean {
  return entry.routable && !entry.isModule && entry.isUnlisted !== true;
}

/** The pages that differ in the next generation. */
export interface OrderChange {
  removed: readonly PageEntry[];
  added: readonly PageEntry[];
}

/** The sorted lists of one generation, each sorted on first use. */
export class Orders {
  readonly #entries: readonly PageEntry[];
  readonly #sorted: Map<string, readonly PageEntry[]>;

  constructor(entries: readonly PageEntry[], sorted = new Map<string, readonly PageEntry[]>()) {
    this.#entries = entries;
    this.#sorted = sorted;
  }

  get(by: OrderBy, dir: Direction): readonly PageEntry[] {
    const key = `${by}:${dir}`;
    const sorted = this.#sorted.get(key);
    if (sorted !== undefined) return sorted;
    const list = this.#make(by, dir);
    this.#sorted.set(key, list);
    return list;
  }

  #make(by: OrderBy, dir: Direction): PageEntry[] {
    const list = this.#entries.filter(isListable);
    if (by === "title") {
      // Sorts like the comparator of titles, but prepares each title once.
      return sortByText(list, ({ title }) => title.slice(0, MAX_TITLE), {
        dir,
        ties: compareAddress,
      });
    }
    if (by !== "tree") return list.sort(toComparator(by, dir));
    return dir === "asc" ? list : list.reverse();
  }

  /** The lists of the next generation: existing lists with the change merged in. */
  *next(entries: readonly PageEntry[], change: OrderChange): Sliced<Orders> {
    const sorted = new Map<string, readonly PageEntry[]>();
    if (change.added.length + change.removed.length > MERGE_LIMIT) return new Orders(entries);
    for (const [key, list] of this.#sorted) {
      const [by, dir] = key.split(":");
      if (!isSortable(by)) continue;
      sorted.set(key, merged(list, change, toComparator(by, dir === "asc" ? "asc" : "desc")));
      yield;
    }
    return new Orders(entries, sorted);
  }
}

function compareAddress(a: PageEntry, b: PageEntry): number {
  return compareUnits(a.route, b.route) || compareUnits(a.sourcePath, b.sourcePath);
}

function isSortable(by: string | undefined): by is Exclude<OrderBy, "tree"> {
  return by !== undefined && Object.hasOwn(ascending, by);
}

function merged(
  list: readonly PageEntry[],
  { removed, added }: OrderChange,
  compare: Comparator,
): PageEntry[] {
  const result = [...list];
  for (const entry of removed) {
    const at = result.indexOf(entry);
    if (at !== -1) result.splice(at, 1);
  }
  for (const entry of added) {
    if (isListable(entry)) result.splice(insertionPoint(result, entry, compare), 0, entry);
  }
  return result;
}

function insertionPoint(list: readonly PageEntry[], entry: PageEntry, compare: Comparator): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && compare(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
