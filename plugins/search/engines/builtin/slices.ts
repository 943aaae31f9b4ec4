import { setImmediate } from "node:timers/promises";

/** Maximum time that a background merge blocks the event loop, in ms. */
const mergeSliceMs = 2;
/** The same for a full build: most run during startup, which short slices would slow down. */
export const buildSliceMs = 8;
const chunk = 2048;

/** Work in small steps: yields where it may be interrupted, and returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps synchronously. */
export function runNow<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs steps a few milliseconds at a time, so that requests are handled in between. */
export async function runSliced<T>(steps: Steps<T>, pause = createPause()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Returns a function to await between steps: it yields to others when the slice is used up. */
export function createPause(sliceMs = mergeSliceMs): () => Promise<void> | undefined {
  let started = performance.now();
  return () => {
    if (performance.now() - started < sliceMs) return undefined;
    return setImmediate().then(() => {
      started = performance.now();
    });
  };
}

/** Sorts in steps: short runs first, then pairwise merges. */
export function* sortInSteps<T>(items: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += chunk) {
    runs.push(items.slice(at, at + chunk).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const next: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      next.push(yield* mergeRuns(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = next;
  }
  return runs[0] ?? [];
}

function* mergeRuns<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (right.length === 0) return left;
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined || b === undefined) break;
    if (compare(a, b) <= 0) {
      merged.push(a);
      l += 1;
    } else {
      merged.push(b);
      r += 1;
    }
    if (merged.length % chunk === 0) yield;
  }
  for (; l < left.length; l++) merged.push(left[l] as T);
  for (; r < right.length; r++) merged.push(right[r] as T);
  return merged;
}
