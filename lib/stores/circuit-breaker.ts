/** When a circuit breaker opens, and for how long. */
export interface BreakerOptions {
  /** Failures in a row that open it. */
  failures: number;
  /** How long it stays open, in ms; the next failure after that opens it again at once. */
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
