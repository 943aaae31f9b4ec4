/** How long nothing is asked for before memory is given back, in ms. */
const IDLE_MS = 30_000;

/** Runs `rest` once nobody has called `touch` for a while. */
export class IdleTimer {
  readonly #rest: () => void;
  readonly #idleMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(rest: () => void, idleMs = IDLE_MS) {
    this.#rest = rest;
    this.#idleMs = idleMs;
  }

  touch(): void {
    if (this.#timer !== null) {
      this.#timer.refresh();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#rest();
    }, this.#idleMs).unref();
  }
}
