/** Runs long work as generators in short slices, so that requests do not wait. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that yields where it may be interrupted, and returns its result. */
export type Sliced<T> = Generator<void, T, void>;
/** Called between steps: a promise to await when the slice is used up. */
export type Pause = () => Promise<void> | undefined;

/** Slice length while serving requests, in ms. */
const SLICE_MS = 1;
/** Slice length at startup, in ms: shorter slices would delay it. */
export const START_SLICE_MS = 8;

/** Runs the work and yields to the event loop about every `sliceMs` milliseconds. */
export async function runInSlices<T>(work: Sliced<T>, sliceMs = SLICE_MS): Promise<T> {
  const pause = createPause(sliceMs);
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

/** Starts slices of `sliceMs` milliseconds; `now` returns ms. */
export function createPause(sliceMs: number, now = () => performance.now()): Pause {
  let started = now();
  return () => {
    if (now() - started < sliceMs) return undefined;
    return nextTurn().then(() => {
      started = now();
    });
  };
}
