import { within } from "./within.js";

/** How a part of the start is waited for. */
export interface Patience {
  /** Told each so many ms that it still takes, with the whole seconds so far. */
  sayEveryMs: number;
  say(seconds: number): void;
  /** Given up after so many ms; null: never. */
  limitMs: number | null;
}

/** What is said of a part of the start that takes its time, and how often. */
export const PATIENT = { sayEveryMs: 10_000, limitMs: null } as const;
/** A setup only registers: one that takes longer waits for what never comes. */
export const SETUP_LIMIT_MS = 60_000;

/**
 * Waits for work and names it while it takes. A process that waits for a promise which nothing settles
 * would else end without a word.
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
    throw new Error(`it did not finish within ${ms / 1_000} s`);
  };
  try {
    return await (limitMs === null ? pending : within(limitMs, pending, giveUp(limitMs)));
  } finally {
    clearInterval(talk);
  }
}
