import { setImmediate } from "node:timers/promises";

const stepMs = 8;

/** Lets others have their turn. */
export interface Pause {
  /** True when the step has taken long enough. */
  isDue(): boolean;
  /** Resolves when others have had their turn. */
  next(): Promise<void>;
}

/** Steps of a few milliseconds from now on; `now` tells the time in ms. */
export function createPause(now = () => performance.now()): Pause {
  let started = now();
  return {
    isDue: () => now() - started >= stepMs,
    async next() {
      await setImmediate();
      started = now();
    },
  };
}

/** Values in the order of their UTF-16 units, as `sort` gives them, in many small sorts. */
export async function sortInSlices(values: readonly string[], pause: Pause): Promise<string[]> {
  const groups = new Map<string, string[]>();
  for (const value of values) {
    const head = value.slice(0, 2);
    const group = groups.get(head);
    if (group) group.push(value);
    else groups.set(head, [value]);
    if (pause.isDue()) await pause.next();
  }
  const sorted: string[] = [];
  for (const head of [...groups.keys()].sort()) {
    for (const value of groups.get(head)?.sort() ?? []) sorted.push(value);
    if (pause.isDue()) await pause.next();
  }
  return sorted;
}
