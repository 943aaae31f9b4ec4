import { isRecord } from "#lib/values";
import type { QueryName } from "./contract.js";

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
