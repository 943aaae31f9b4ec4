/** Processor time of a render thread: on a busy machine it is less than the time that has passed. */
import { readFileSync, readlinkSync } from "node:fs";

/** A thread that gets too little processor time is stopped after this many times its limit. */
const PATIENCE = 20;
/** Between two looks at the processor time of a thread, in ms. */
const LOOK_MS = 50;

/** The time that a thread has used, in ms. */
export interface TimeTaken {
  readonly limitMs: number;
  readonly processorMs: number;
  readonly passedMs: number;
}

/** The ms until the next look; `over`: it had its time; `busy`: the machine gave it too little for too long. */
export function timeLeft({ limitMs, processorMs, passedMs }: TimeTaken): number | "over" | "busy" {
  const left = limitMs - processorMs;
  if (left <= 0) return "over";
  return passedMs >= limitMs * PATIENCE ? "busy" : Math.max(left, LOOK_MS);
}

/** The operating system's number of the calling thread; null where there is no `/proc`. */
export function ownThreadNumber(): number | null {
  try {
    const number = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    return Number.isInteger(number) ? number : null;
  } catch {
    return null;
  }
}

/**
 * Processor time of a thread of this process so far, in ms. Where the system does not say, that of
 * the whole process, which is more.
 */
export function threadTimeMs(thread: number | null): number {
  const threadMs = thread === null ? null : readThreadTime(thread);
  if (threadMs !== null) return threadMs;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function readThreadTime(thread: number): number | null {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ");
    const time = Number(nanoseconds) / 1_000_000;
    return time > 0 ? time : null;
  } catch {
    return null;
  }
}
