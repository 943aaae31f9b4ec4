import { setTimeout as delay } from "node:timers/promises";

/** True when `work` ended within `limitMs`, false otherwise. @throws what `work` throws in time. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const end = delay(limitMs, false, { signal: late.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), end]);
  } finally {
    late.abort();
  }
}
