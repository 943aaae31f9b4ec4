import { within } from "#lib/concurrency";

/** Consecutive failures that open the circuit. */
const FAILURES = 3;
/** Time for which it stays open before one call tries the store again. */
const PAUSE_MS = 1_000;
/** Time without a call after which a report asks the store, in ms. */
const IDLE_MS = 10_000;

/** Tells whether a store can be reached. */
export interface StoreState {
  isDown: boolean;
  /** The error of the last failed call. */
  error: unknown;
}

/** Dependencies of a guard. */
export interface GuardOptions {
  /** A monotonic clock, in ms. */
  monotonic(): number;
  /** Called when the store goes down and when it is back, not per call. */
  onChange(state: StoreState): void;
  /** Time limit of a call. */
  limitMs(): number;
  /** The error that callers get while the store is down. */
  toError(cause?: unknown): Error;
}

/**
 * Limits the cost of an outage: each call has a time limit, and after three consecutive failures
 * only one call a second reaches the store.
 */
export class StoreGuard {
  readonly #options: GuardOptions;
  readonly #breaker: CircuitBreaker;
  #isProbing = false;
  /** When the last call began, by `monotonic`. */
  #calledAt: number;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#calledAt = options.monotonic();
    const now = (): number => options.monotonic();
    this.#breaker = new CircuitBreaker({ failures: FAILURES, pauseMs: PAUSE_MS, now });
  }

  /**
   * For reports: true from the failure that `onChange` reported until a success. Asks the store with `ask`, a harmless
   * call, after a failure at most once a second, otherwise where nothing called it for ten seconds: a site without
   * requests would never learn that it is down, or back.
   */
  isDown(ask: () => Promise<unknown>): boolean {
    const { monotonic } = this.#options;
    const pauseMs = this.#breaker.hasFailed ? PAUSE_MS : IDLE_MS;
    if (monotonic() - this.#calledAt >= pauseMs) void this.run(ask).catch(() => undefined);
    return this.#breaker.isTripped;
  }

  /** @throws what `toError` returns when the store fails, is slow, or is disabled after failures. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isProbe = this.#breaker.isTripped;
    if (isProbe && (this.#isProbing || this.#breaker.isOpen)) throw this.#options.toError();
    if (isProbe) this.#isProbing = true;
    this.#calledAt = this.#options.monotonic();
    try {
      const limitMs = this.#options.limitMs();
      const result = await within(limitMs, work(), () => {
        throw new Error(`no answer within ${limitMs} ms`);
      });
      this.#succeeded();
      return result;
    } catch (error) {
      this.#failed(error);
      throw this.#options.toError(error);
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

/** When a circuit breaker opens, and for how long. */
interface BreakerOptions {
  /** Failures in a row that open it. */
  failures: number;
  /** Time for which it stays open, in ms; the next failure after that opens it again at once. */
  pauseMs: number;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
}

/** The one circuit breaker: after some failures in a row, nothing is tried for a while. */
export class CircuitBreaker {
  readonly #options: BreakerOptions;
  #inARow = 0;
  #openUntil = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** True while nothing should be tried. */
  get isOpen(): boolean {
    return this.#openUntil > this.#options.now();
  }

  /** True from a failure until a success. */
  get hasFailed(): boolean {
    return this.#inARow > 0;
  }

  /** True from the failure that opened it until a success. */
  get isTripped(): boolean {
    return this.#inARow >= this.#options.failures;
  }

  succeeded(): void {
    this.#inARow = 0;
    this.#openUntil = 0;
  }

  failed(): void {
    this.#inARow += 1;
    if (this.isTripped) this.#openUntil = this.#options.now() + this.#options.pauseMs;
  }
}
