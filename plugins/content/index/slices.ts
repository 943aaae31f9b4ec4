/** Runs long work as generators in short slices, so that requests do not wait. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that yields where it may be interrupted. */
export type Sliced<T> = Generator<void, T, void>;

/** Slice length while serving requests, in ms. */
const sliceMs = 1;
/** Slice length at startup, in ms: shorter slices would delay it. */
export const startSliceMs = 8;

/** Runs the work and yields to the event loop about every `mostMs` milliseconds. */
export async function runInSlices<T>(work: Sliced<T>, mostMs = sliceMs): Promise<T> {
  let until = performance.now() + mostMs;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + mostMs;
  }
}

/** Runs the work without a pause. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
