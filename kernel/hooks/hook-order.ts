import type { HookOrder } from "../contracts.js";

/** A handler with its order. */
export interface OrderedHandler {
  plugin: string;
  /** Position of its plugin in the plugin order. */
  rank: number;
  order: HookOrder;
}

/** Plugin order first, then `before`/`after`, then registration. */
export function sortHandlers<T extends OrderedHandler>(list: readonly T[]): T[] {
  const sorted = list.toSorted((a, b) => a.rank - b.rank);
  for (const item of list) {
    const { before, after } = item.order;
    if (before === undefined && after === undefined) continue;
    const rest = sorted.filter((other) => other !== item);
    const target =
      before === undefined
        ? rest.findLastIndex((other) => other.plugin === after) + 1
        : rest.findIndex((other) => other.plugin === before);
    const none = before === undefined ? target === 0 : target === -1;
    if (none) continue;
    rest.splice(target, 0, item);
    sorted.splice(0, sorted.length, ...rest);
  }
  return sorted;
}
