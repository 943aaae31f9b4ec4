import { CircuitBreaker, SiteError, within } from "#kernel";

/** Failures in a row that switch the store off. */
const FAILURES = 3;
/** How long it stays off before one call tries it again. */
const PAUSE_MS = 1_000;

/** What a guard needs of its surroundings. */
export interface GuardOptions {
  /** A clock that never jumps, in ms. */
  monotonic(): number;
  /** Told when the store goes and when it is back, not per call. */
  onChange(state: { isDown: boolean; error: unknown }): void;
  /** Longest wait for one call. */
  limitMs(): number;
}

/**
 * Bounds what an outage costs a request: each call has a time limit, and after a few failures in a
 * row only one call a second reaches the store.
 */
export class StoreGuard {
  readonly #options: GuardOptions;
  readonly #breaker: CircuitBreaker;
  #isProbing = false;

  constructor(options: GuardOptions) {
    this.#options = options;
    const now = (): number => options.monotonic();
    this.#breaker = new CircuitBreaker({ failures: FAILURES, pauseMs: PAUSE_MS, now });
  }

  /** @throws ERR_SESSION_STORE_DOWN (503) when the store fails, is slow, or is switched off. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isProbe = this.#breaker.isTripped;
    if (isProbe && (this.#isProbing || this.#breaker.isOpen)) throw storeDown();
    if (isProbe) this.#isProbing = true;
    try {
      const limitMs = this.#options.limitMs();
      const result = await within(limitMs, work(), () => {
        throw new Error(`no answer within ${limitMs} ms`);
      });
      this.#succeeded();
      return result;
    } catch (error) {
      this.#failed(error);
      throw storeDown(error);
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  #succeeded(): void {
    if (this.#breaker.isTripped) this.#options.onChange({ isDown: false, error: null });
    this.#breaker.succeeded();
  }

  #failed(error: unknown): void {
    const wasTripped = this.#breaker.isTripped;
    this.#breaker.failed();
    if (!wasTripped && this.#breaker.isTripped) this.#options.onChange({ isDown: true, error });
  }
}

/** The 503 of everything that needs a session. */
export function storeDown(cause?: unknown): SiteError {
  return new SiteError("ERR_SESSION_STORE_DOWN", "the session store does not answer", {
    status: 503,
    headers: { "Retry-After": "5" },
    fix: "bring the session store back; it is tried again every second",
    ...(cause === undefined ? {} : { cause }),
  });
}
