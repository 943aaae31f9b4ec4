/**
 * Maximum number of keys per window length; above it, keys without a request since the last rotation
 * are dropped.
 */
const MAX_KEYS = 100_000;
/** Limits up to this number are exact; above it, requests within 1/128 of the window count as one time. */
const MAX_TIMES = 128;

/** Counts requests per key in memory. */
export interface SlidingWindow {
  /** Counts one request of `key` if fewer than `limit` were counted in the last `windowMs`. */
  take(
    key: string,
    limit: number,
    windowMs: number,
  ): { allowed: boolean; retryAfterSeconds: number };
  /** Withdraws the last `count` requests of `key` (default: 1; `Infinity`: all). */
  release(key: string, windowMs: number, count?: number): void;
}

/**
 * The counted requests of a key, oldest first: a time, the number of requests at that time, the next
 * time, and so on. One flat array, because most keys have few requests and there may be many keys.
 */
type Counted = number[];

/** The keys of one window length. A key stays for at least one window after its last request. */
interface Keys {
  rotatedAt: number;
  current: Map<string, Counted>;
  previous: Map<string, Counted>;
}

interface Rule {
  limit: number;
  windowMs: number;
  at: number;
}

/**
 * A sliding window in memory: each request counts for `windowMs`, then no longer. `now` returns ms.
 * When the clock is changed by a window or more, earlier requests no longer count, so that a wrong
 * clock locks no client out.
 */
export function createSlidingWindow(now: () => number): SlidingWindow {
  const byLength = new Map<number, Keys>();
  return {
    take(key, limit, windowMs) {
      const rule = { limit, windowMs, at: now() };
      const keys = keysOf(byLength, rule);
      const counted = keys.current.get(key) ?? keys.previous.get(key);
      if (counted !== undefined) dropExpired(counted, rule);
      if (totalOf(counted) >= limit)
        return { allowed: false, retryAfterSeconds: wait(counted, rule) };
      keys.current.set(key, withRequest(counted, rule));
      if (keys.current.size > MAX_KEYS) rotate(keys, rule.at);
      return { allowed: true, retryAfterSeconds: 0 };
    },
    release(key, windowMs, count = 1) {
      const keys = byLength.get(windowMs);
      const counted = keys?.current.get(key) ?? keys?.previous.get(key);
      if (keys === undefined || counted === undefined) return;
      dropLast(counted, count);
      if (counted.length > 0) return;
      keys.current.delete(key);
      keys.previous.delete(key);
    },
  };
}

function keysOf(byLength: Map<number, Keys>, { windowMs, at }: Rule): Keys {
  let keys = byLength.get(windowMs);
  if (keys === undefined) {
    keys = { rotatedAt: at, current: new Map(), previous: new Map() };
    byLength.set(windowMs, keys);
  }
  if (Math.abs(at - keys.rotatedAt) >= windowMs) rotate(keys, at);
  return keys;
}

/** Deleting old keys one by one would get slower each time: a Map keeps traces of deleted keys. */
function rotate(keys: Keys, at: number): void {
  keys.previous = keys.current;
  keys.current = new Map();
  keys.rotatedAt = at;
}

function totalOf(counted: Counted = []): number {
  let total = 0;
  for (let at = 1; at < counted.length; at += 2) total += counted[at] ?? 0;
  return total;
}

function dropExpired(counted: Counted, { windowMs, at }: Rule): void {
  let expired = 0;
  while (expired < counted.length && Math.abs(at - (counted[expired] ?? 0)) >= windowMs) {
    expired += 2;
  }
  if (expired > 0) counted.splice(0, expired);
}

function withRequest(counted: Counted | undefined, { limit, windowMs, at }: Rule): Counted {
  if (counted === undefined) return [at, 1];
  const last = counted.length - 2;
  const resolution = limit > MAX_TIMES ? windowMs / MAX_TIMES : 0;
  if (Math.abs(at - (counted[last] ?? -Infinity)) < resolution) {
    counted[last + 1] = (counted[last + 1] ?? 0) + 1;
  } else counted.push(at, 1);
  return counted;
}

/** Whole seconds until the oldest requests no longer count and one more is allowed. */
function wait(counted: Counted = [], { limit, windowMs, at }: Rule): number {
  let surplus = totalOf(counted) + 1 - limit;
  let until = at + windowMs;
  for (let index = 0; index < counted.length && surplus > 0; index += 2) {
    until = (counted[index] ?? 0) + windowMs;
    surplus -= counted[index + 1] ?? 0;
  }
  return Math.max(1, Math.ceil(Math.min(until - at, windowMs) / 1_000));
}

function dropLast(counted: Counted, count: number): void {
  for (let left = count; left > 0 && counted.length > 0;) {
    const last = counted.pop() ?? 0;
    if (last > left) counted.push(last - left);
    else counted.pop();
    left -= last;
  }
}
