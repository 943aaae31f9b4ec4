/** Long work that must not keep requests waiting: generators run in short slices. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that yields wherever it may be interrupted. */
export type Sliced<T> = Generator<void, T, void>;

const sliceMs = 1;

/** Runs the work, giving the event loop a turn about every millisecond. */
export async function runInSlices<T>(work: Sliced<T>): Promise<T> {
  let until = performance.now() + sliceMs;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + sliceMs;
  }
}

/** Runs the work without a pause. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
