import { CircuitBreaker, SiteError, within } from "#kernel";

/** Consecutive failures that open the circuit. */
const FAILURES = 3;
/** How long it stays open before one call tries the store again. */
const PAUSE_MS = 1_000;

/** Dependencies of a guard. */
export interface GuardOptions {
  /** A monotonic clock, in ms. */
  monotonic(): number;
  /** Called when the store goes down and when it is back, not per call. */
  onChange(state: { isDown: boolean; error: unknown }): void;
  /** Time limit of a call. */
  limitMs(): number;
}

/**
 * Limits the cost of an outage: each call has a time limit, and after a few consecutive failures
 * only one call a second reaches the store.
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

  /**
   * @throws ERR_SESSION_STORE_DOWN (503) when the store fails, is slow, or is disabled after
   * failures.
   */
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

/** The 503 for requests that need a session. */
export function storeDown(cause?: unknown): SiteError {
  return new SiteError("ERR_SESSION_STORE_DOWN", "the session store does not respond", {
    status: 503,
    headers: { "Retry-After": "5" },
    fix: "restore the session store; the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}
