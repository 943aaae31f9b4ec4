import type { RateLimitEngine, RateVerdict } from "./contract.js";

/**
 * Maximum number of keys; above it, the current counts are treated as those of the previous window.
 */
const MAX_KEYS = 100_000;

interface Windows {
  startedAt: number;
  current: Map<string, number>;
  previous: Map<string, number>;
}

/**
 * A sliding window in memory: the count of the current window plus the part of the previous one
 * that is still within `windowMs`. `now` is monotonic, in ms, so that clock changes have no effect.
 */
export function createSlidingWindow(now: () => number = () => performance.now()): RateLimitEngine {
  const bySize = new Map<number, Windows>();
  return {
    take(key, limit, windowMs) {
      const windows = advance(bySize, windowMs, now());
      return count(windows, key, { limit, windowMs, elapsed: now() - windows.startedAt });
    },
  };
}

function advance(bySize: Map<number, Windows>, windowMs: number, at: number): Windows {
  const existing = bySize.get(windowMs);
  if (existing && at - existing.startedAt < windowMs) return existing;
  const skipped = !existing || at - existing.startedAt >= 2 * windowMs;
  const next: Windows = {
    startedAt: skipped ? at : existing.startedAt + windowMs,
    current: new Map(),
    previous: skipped ? new Map() : existing.current,
  };
  bySize.set(windowMs, next);
  return next;
}

interface Rule {
  limit: number;
  windowMs: number;
  elapsed: number;
}

function count(windows: Windows, key: string, { limit, windowMs, elapsed }: Rule): RateVerdict {
  const before = windows.previous.get(key) ?? 0;
  const current = windows.current.get(key) ?? 0;
  const weighted = before * (1 - elapsed / windowMs) + current;
  if (weighted + 1 > limit) {
    const wait =
      current >= limit
        ? windowMs - elapsed
        : waitFor(before, limit - current - 1, windowMs) - elapsed;
    const seconds = Math.ceil(wait / 1_000);
    const longest = Math.ceil(windowMs / 1_000);
    return { allowed: false, retryAfterSeconds: Math.min(Math.max(seconds, 1), longest) };
  }
  windows.current.set(key, current + 1);
  if (windows.current.size > MAX_KEYS) {
    // Deleting the oldest keys one by one would get slower each time: a Map keeps traces of deleted
    // keys.
    windows.previous = windows.current;
    windows.current = new Map();
  }
  return { allowed: true, retryAfterSeconds: 0 };
}

/**
 * Time until the weight of the previous window has dropped to `room`, in ms from the start of this
 * window.
 */
function waitFor(before: number, room: number, windowMs: number): number {
  return before === 0 ? 0 : windowMs * (1 - Math.max(0, room) / before);
}
