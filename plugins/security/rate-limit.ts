import { HttpError, type Clock, type EngineSlot, type Logger } from "#kernel";
import {
  createSlidingWindow,
  engineFailureFields,
  StoreGuard,
  type SlidingWindow,
} from "#kernel/internal";
import { clientKey } from "./client-key.js";
import type { AttemptLimit, RateLimitEngine, RateVerdict } from "./contract.js";

/** Rate-limited prefixes. */
const LIMITED = ["/api/search", "/api/collections", "/api/taxonomy", "/api/pages", "/api/flex"];
const WINDOW_MS = 60_000;
const DOWN = "the store of rate limits does not respond";
const FIX = "restore the store; each process counts in memory until then";
/** Longest wait of a request for a shared engine, in ms. */
export const ENGINE_MS = 250;

/** True below a limited prefix; case-insensitive, so that no spelling bypasses the limit. */
export function isLimitedPath(path: string): boolean {
  if (LIMITED.some((prefix) => path.startsWith(prefix))) return true;
  const lower = path.toLowerCase();
  return lower !== path && LIMITED.some((prefix) => lower.startsWith(prefix));
}

/** Counts in the slot's active engine, or in memory while that fails. */
export class RateLimiter {
  readonly #slot: EngineSlot<RateLimitEngine>;
  readonly #fallback = createSlidingWindow(() => performance.now());
  /** By the site's clock, because lock-outs last for minutes. */
  readonly #inMemory: SlidingWindow;
  readonly #guard: StoreGuard;
  readonly attempts: AttemptLimit;

  constructor(slot: EngineSlot<RateLimitEngine>, { clock, log }: { clock: Clock; log: Logger }) {
    this.#slot = slot;
    this.#inMemory = createSlidingWindow(() => clock.now());
    this.#guard = engineGuard(log);
    this.attempts = {
      take: (key, limit, windowMs) =>
        slot.active.release === undefined
          ? this.#inMemory.take(key, limit, windowMs)
          : this.#tryEngine(
              (engine) => engine.take(key, limit, windowMs),
              () => this.#inMemory.take(key, limit, windowMs),
            ),
      release: (key, windowMs, count) => this.#release(key, windowMs, count),
    };
  }

  /** The problem for the health report while the engine is down. */
  get problem(): string | null {
    return this.#guard.isDown ? DOWN : null;
  }

  take(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict> {
    return this.#tryEngine(
      (engine) => engine.take(key, limit, windowMs),
      () => this.#fallback.take(key, limit, windowMs),
    );
  }

  /** In memory too: the attempt may have been counted there. */
  #release(key: string, windowMs: number, count?: number): void | Promise<void> {
    this.#inMemory.release(key, windowMs, count);
    return this.#tryEngine(
      (engine) => engine.release?.(key, windowMs, count),
      () => undefined,
    );
  }

  #tryEngine<T>(
    work: (engine: RateLimitEngine) => T | Promise<T>,
    fallback: () => T,
  ): T | Promise<T> {
    const { active, activeName } = this.#slot;
    // Synchronous, and cannot be down.
    if (activeName === "memory") return work(active);
    return this.#guard.run(async () => work(active)).catch(fallback);
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

function engineGuard(log: Logger): StoreGuard {
  return new StoreGuard({
    monotonic: () => performance.now(),
    limitMs: () => ENGINE_MS,
    toError: (cause) => new Error(DOWN, { cause }),
    onChange: ({ isDown, error }) => {
      if (!isDown) log.info("security.rate_limit_store_back");
      else log.error("security.rate_limit_store_down", { fix: FIX, ...engineFailureFields(error) });
    },
  });
}
