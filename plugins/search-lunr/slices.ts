import { setImmediate } from "node:timers/promises";

const stepMs = 8;

/** Yields to other work. */
export interface Pause {
  /** True when the current step has run long enough. */
  isDue(): boolean;
  /** Resolves after other work has run. */
  next(): Promise<void>;
}

/** Starts steps of a few milliseconds; `now` returns ms. */
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

/** Sorts by UTF-16 units like `sort`, in many small steps. */
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
