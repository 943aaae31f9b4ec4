/** One rebuild at a time and one that follows, however many are asked for. */
import { setTimeout as delay } from "node:timers/promises";

const pauseMs = 1_000;

/** Coalesces: what is asked for during a rebuild, or the second after its start, is one rebuild. */
export class RebuildGate {
  readonly #rebuild: () => Promise<void>;
  readonly #signal: AbortSignal;
  #isBusy = false;
  #isAskedAgain = false;

  constructor(rebuild: () => Promise<void>, signal: AbortSignal) {
    this.#rebuild = rebuild;
    this.#signal = signal;
  }

  /** Asks for a rebuild that begins after this call; resolves when nothing is left to do. */
  async ask(): Promise<void> {
    if (this.#isBusy) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isBusy = true;
    try {
      do {
        this.#isAskedAgain = false;
        const pause = delay(pauseMs, undefined, { signal: this.#signal, ref: false }).catch(
          () => undefined,
        );
        await this.#rebuild();
        await pause;
      } while (this.#isAskedAgain && !this.#signal.aborted);
    } finally {
      this.#isBusy = false;
    }
  }
}
