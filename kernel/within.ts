import { setTimeout as delay } from "node:timers/promises";

/** True when `work` ended within `limitMs`, false otherwise. @throws an error of `work` within the limit. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const end = delay(limitMs, false, { signal: late.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), end]);
  } finally {
    late.abort();
  }
}
