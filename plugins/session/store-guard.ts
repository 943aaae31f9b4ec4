import { SiteError } from "#kernel";

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
  #failures = 0;
  #retryAt = 0;
  #isProbing = false;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /**
   * @throws ERR_SESSION_STORE_DOWN (503) when the store fails, is slow, or is disabled after
   * failures.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isProbe = this.#failures >= FAILURES;
    if (isProbe && (this.#isProbing || this.#options.monotonic() < this.#retryAt))
      throw storeDown();
    if (isProbe) this.#isProbing = true;
    try {
      const result = await withLimit(work, this.#options.limitMs());
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
    if (this.#failures >= FAILURES) this.#options.onChange({ isDown: false, error: null });
    this.#failures = 0;
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    this.#retryAt = this.#options.monotonic() + PAUSE_MS;
    if (this.#failures === FAILURES) this.#options.onChange({ isDown: true, error });
  }
}

async function withLimit<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
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
