import { z } from "zod";
import type { OrderKey } from "./order-keys.js";
import { queryError } from "./read-query.js";

/** A place in an order: the sort values and the key of the item before it. */
export interface CursorPlace {
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
  const own = keyOf(item);
  return own < key ? -1 : Number(own > key);
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
