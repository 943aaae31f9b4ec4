/** Work in one process that waits for other work: locks, queues, slices, time limits. Runs in Node.js. */
export { AttemptLimiter, type AttemptStore, type AttemptVerdict } from "./attempts.js";
export { KeyedLock } from "./keyed-lock.js";
export { SingleFlight } from "./single-flight.js";
export {
  START_SLICE_MS,
  createPause,
  runAtOnce,
  runInSlices,
  sortInSlices,
  type Pause,
  type Sliced,
} from "./slices.js";
export { TurnQueue } from "./turn-queue.js";
export { within } from "./within.js";
export { WorkQueue } from "./work-queue.js";
