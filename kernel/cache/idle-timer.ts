/** Checks per idle time: rest is noticed after at most a quarter more of it. */
const CHECKS = 4;

/** Runs `onIdle` once `used` was not called for a while. `used` only resets a counter: it is called per hit. */
export class IdleTimer {
  readonly #onIdle: () => void;
  readonly #checkMs: number;
  #quietChecks = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(onIdle: () => void, idleMs: number) {
    this.#onIdle = onIdle;
    this.#checkMs = Math.max(1, Math.ceil(idleMs / CHECKS));
  }

  /** Begins to watch; call it when something is stored. */
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
