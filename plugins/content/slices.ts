/** Long work that must not keep requests waiting: generators run in short slices. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that yields wherever it may be interrupted. */
export type Sliced<T> = Generator<void, T, void>;

/** While visitors are answered, in ms. */
const sliceMs = 1;
/** While a site starts, in ms: short slices would make the start longer. */
export const startSliceMs = 8;

/** Runs the work, giving the event loop a turn about every so many milliseconds. */
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
