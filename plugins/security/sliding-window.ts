import type { RateLimitEngine, RateVerdict } from "./contract.js";

/** Most keys counted at once; above it the counts so far weigh as those of the last window. */
const MOST_KEYS = 100_000;

interface Windows {
  startedAt: number;
  current: Map<string, number>;
  previous: Map<string, number>;
}

/**
 * A sliding window in memory: the count of this window plus the part of the last one that still
 * lies within `windowMs`. `now` is monotonic, in ms, so that clock steps change nothing.
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
  const known = bySize.get(windowMs);
  if (known && at - known.startedAt < windowMs) return known;
  const skipped = !known || at - known.startedAt >= 2 * windowMs;
  const next: Windows = {
    startedAt: skipped ? at : known.startedAt + windowMs,
    current: new Map(),
    previous: skipped ? new Map() : known.current,
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
  if (windows.current.size > MOST_KEYS) {
    // Taking out the oldest one by one would cost more with each: a Map keeps a trace of what was in it.
    windows.previous = windows.current;
    windows.current = new Map();
  }
  return { allowed: true, retryAfterSeconds: 0 };
}

/** When the last window's weight has sunk to `room`, in ms from the start of this window. */
function waitFor(before: number, room: number, windowMs: number): number {
  return before === 0 ? 0 : windowMs * (1 - Math.max(0, room) / before);
}
