/** Checks per idle time: `onIdle` runs at most a quarter of it late. */
const CHECKS = 4;

/** Runs `onIdle` once `used` was not called for `idleMs`. `used` only resets a counter, because it runs on every hit. */
export class IdleTimer {
  readonly #onIdle: () => void;
  readonly #checkMs: number;
  #quietChecks = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(onIdle: () => void, idleMs: number) {
    this.#onIdle = onIdle;
    this.#checkMs = Math.max(1, Math.ceil(idleMs / CHECKS));
  }

  /** Starts the timer; call it when a value is stored. */
  start(): void {
    this.#quietChecks = 0;
    this.#timer ??= setInterval(() => this.#check(), this.#checkMs).unref();
  }

  used(): void {
    this.#quietChecks = 0;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(): void {
    this.#quietChecks += 1;
    if (this.#quietChecks <= CHECKS) return;
    this.stop();
    this.#onIdle();
  }
}
