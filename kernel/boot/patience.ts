import { within } from "../waiting/within.js";

/** How a part of the start is waited for. */
export interface Patience {
  /** Called at this interval in ms while it runs, with the whole seconds so far. */
  sayEveryMs: number;
  say(seconds: number): void;
  /** Fails after this many ms; null: never. */
  limitMs: number | null;
}

/** When and how often a slow part of the startup is reported. */
export const PATIENT = { sayEveryMs: 10_000, limitMs: null } as const;
/** `setup()` only registers things; taking longer means it is stuck. */
export const SETUP_LIMIT_MS = 60_000;

/**
 * Waits for work and reports it while it runs. Otherwise a process that waits for a promise that never
 * settles would exit silently.
 * @throws Error past the limit.
 */
export async function withPatience<T>(work: () => T, patience: Patience): Promise<Awaited<T>> {
  const pending = work();
  if (!(pending instanceof Promise)) return await pending;
  const { sayEveryMs, say, limitMs } = patience;
  const started = performance.now();
  const talk = setInterval(
    () => say(Math.round((performance.now() - started) / 1_000)),
    sayEveryMs,
  );
  const giveUp = (ms: number) => (): never => {
    throw new Error(`did not finish within ${ms / 1_000} s`);
  };
  try {
    return await (limitMs === null ? pending : within(limitMs, pending, giveUp(limitMs)));
  } finally {
    clearInterval(talk);
  }
}
