/** Sorts the pages and folders of one folder: by order, then title, then path. */
import { compareTextKeys, toTextKey, type TextKey } from "#kernel/internal";
import type { PageEntry } from "../../contract.js";
import { effectiveOrder } from "../lookups/orders.js";

/** An item to sort among siblings. */
export interface Sibling<T> {
  readonly item: T;
  readonly order: number;
  readonly key: TextKey;
  readonly path: string;
}

/** Prepares an item for sorting. */
export function toSibling<T>(
  item: T,
  { order, isOrdered, title }: Pick<PageEntry, "order" | "isOrdered" | "title">,
  path: string,
): Sibling<T> {
  return { item, order: effectiveOrder({ order, isOrdered }), key: toTextKey(title), path };
}

/** Compares two siblings. */
export function compareSiblings(a: Sibling<unknown>, b: Sibling<unknown>): number {
  return a.order - b.order || compareTextKeys(a.key, b.key) || (a.path < b.path ? -1 : 1);
}
