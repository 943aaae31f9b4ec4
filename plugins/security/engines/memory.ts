import type { RateLimitEngine, RateVerdict } from "../contract.js";

/** Maximum number of keys per length of the window; above it, keys that no request has used lately are dropped. */
const MAX_KEYS = 100_000;

/** The requests of a key in its window. */
interface Count {
  requests: number;
  /** By the engine's clock, in ms. */
  readonly endsAt: number;
}

/** The counts in windows of one length. A count stays for at least one window. */
interface Counts {
  rotatedAt: number;
  current: Map<string, Count>;
  previous: Map<string, Count>;
}

/**
 * Counts in this process, in fixed windows: the first request of a key opens one. Not `MemoryStore` of
 * express-rate-limit: of concurrent requests below the limit it lets none through, because each reads the count
 * of all, and its number of keys has no bound.
 */
export class MemoryRateLimit implements RateLimitEngine {
  readonly #now: () => number;
  readonly #byLength = new Map<number, Counts>();

  /** `now` returns ms. A clock that is set back by a window or more locks no client out. */
  constructor(now: () => number) {
    this.#now = now;
  }

  take(key: string, limit: number, windowMs: number): RateVerdict {
    const now = this.#now();
    const counts = this.#countsOf(windowMs, now);
    let count = counts.current.get(key) ?? counts.previous.get(key);
    if (count === undefined || count.endsAt <= now || count.endsAt >= now + 2 * windowMs) {
      count = { requests: 0, endsAt: now + windowMs };
    }
    counts.current.set(key, count);
    if (counts.current.size > MAX_KEYS) rotate(counts, now);
    if (count.requests < limit) {
      count.requests += 1;
      return { allowed: true, retryAfterSeconds: 0 };
    }
    const waitMs = Math.min(count.endsAt - now, windowMs);
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
  }

  release(key: string, windowMs: number, requests = 1): void {
    const counts = this.#byLength.get(windowMs);
    const count = counts?.current.get(key) ?? counts?.previous.get(key);
    if (counts === undefined || count === undefined) return;
    count.requests -= requests;
    if (count.requests > 0) return;
    counts.current.delete(key);
    counts.previous.delete(key);
  }

  #countsOf(windowMs: number, now: number): Counts {
    let counts = this.#byLength.get(windowMs);
    if (counts === undefined) {
      counts = { rotatedAt: now, current: new Map(), previous: new Map() };
      this.#byLength.set(windowMs, counts);
    }
    if (Math.abs(now - counts.rotatedAt) >= windowMs) rotate(counts, now);
    return counts;
  }
}

/** Deleting old keys one by one would get slower each time: a Map keeps traces of deleted keys. */
function rotate(counts: Counts, now: number): void {
  counts.previous = counts.current;
  counts.current = new Map();
  counts.rotatedAt = now;
}
