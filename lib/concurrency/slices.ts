/** Runs long work as generators in short slices, so that requests do not wait. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that yields where it may be interrupted, and returns its result. */
export type Sliced<T> = Generator<void, T, void>;
/** Called between steps: a promise to await when the slice is used up. */
export type Pause = () => Promise<void> | undefined;

/** Slice length while serving requests, in ms. */
const SLICE_MS = 1;
/** Longest slice while other work fills the turns of the event loop, in ms. */
const MAX_SLICE_MS = 8;
/** Slice length at startup, in ms: shorter slices would delay it. */
export const START_SLICE_MS = 8;

/** Items that a sort handles between two pauses. */
const SORT_CHUNK = 2048;

/** Runs the work and yields to the event loop when a slice is used up: of so many ms, or of `pause`. */
export async function runInSlices<T>(
  work: Sliced<T>,
  slice: number | Pause = SLICE_MS,
): Promise<T> {
  const pause = typeof slice === "number" ? createPause(slice) : slice;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const due = pause();
    if (due !== undefined) await due;
  }
}

/** Runs the work without a pause. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Starts slices of `sliceMs` milliseconds; `now` returns ms. A slice is as long as everything else took in the turn
 * before it, up to 8 ms: on a busy event loop, work in the shortest slices would hardly go on.
 */
export function createPause(sliceMs = SLICE_MS, now = () => performance.now()): Pause {
  const longest = Math.max(sliceMs, MAX_SLICE_MS);
  let started = now();
  let length = sliceMs;
  return () => {
    const ended = now();
    if (ended - started < length) return undefined;
    return nextTurn().then(() => {
      started = now();
      length = Math.min(Math.max(sliceMs, started - ended), longest);
    });
  };
}

/** Sorts a list, stable, like `toSorted`: short runs first, then pairwise merges. */
export function* sortInSlices<T>(items: T[], compare: (a: T, b: T) => number): Sliced<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += SORT_CHUNK) {
    runs.push(items.slice(at, at + SORT_CHUNK).sort(compare));
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

function* mergeRuns<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Sliced<T[]> {
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
    if (merged.length % SORT_CHUNK === 0) yield;
  }
  for (; l < left.length; l++) merged.push(left[l] as T);
  for (; r < right.length; r++) merged.push(right[r] as T);
  return merged;
}
