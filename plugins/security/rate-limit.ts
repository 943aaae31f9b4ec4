import { HttpError, type EngineSlot, type Logger } from "#kernel";
import { clientKey } from "./client-key.js";
import type { RateLimitEngine, RateVerdict } from "./contract.js";
import { createSlidingWindow } from "./sliding-window.js";

/** Rate-limited prefixes. */
const LIMITED = ["/api/search", "/api/collections", "/api/taxonomy", "/api/pages", "/api/flex"];
const WINDOW_MS = 60_000;

/** True below a limited prefix; case-insensitive, so that no spelling bypasses the limit. */
export function isLimitedPath(path: string): boolean {
  if (LIMITED.some((prefix) => path.startsWith(prefix))) return true;
  const lower = path.toLowerCase();
  return lower !== path && LIMITED.some((prefix) => lower.startsWith(prefix));
}

/** Counts in the slot's active engine, or in memory while that fails. */
export class RateLimiter {
  readonly #slot: EngineSlot<RateLimitEngine>;
  readonly #fallback = createSlidingWindow();
  readonly #log: Logger;

  constructor(slot: EngineSlot<RateLimitEngine>, log: Logger) {
    this.#slot = slot;
    this.#log = log;
  }

  take(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict> {
    try {
      const verdict = this.#slot.active.take(key, limit, windowMs);
      if (!(verdict instanceof Promise)) return verdict;
      return verdict.catch((error: unknown) => this.#fallBack(error, { key, limit, windowMs }));
    } catch (error) {
      return this.#fallBack(error, { key, limit, windowMs });
    }
  }

  #fallBack(
    error: unknown,
    { key, limit, windowMs }: { key: string; limit: number; windowMs: number },
  ): RateVerdict | Promise<RateVerdict> {
    this.#log.warn("rate-limit.engine-failed", { error: String(error) });
    return this.#fallback.take(key, limit, windowMs);
  }

  /**
   * Counts an API request of a client.
   * @throws HttpError 429 with `Retry-After`.
   */
  check(ip: string, limit: number): void | Promise<void> {
    const verdict = this.take(`api:${clientKey(ip)}`, limit, WINDOW_MS);
    return verdict instanceof Promise ? verdict.then(assertAllowed) : assertAllowed(verdict);
  }
}

function assertAllowed(verdict: RateVerdict): void {
  if (verdict.allowed) return;
  throw new HttpError(429, "Too many requests", {
    headers: { "Retry-After": String(verdict.retryAfterSeconds) },
  });
}
