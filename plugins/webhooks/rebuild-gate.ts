/** Runs one rebuild at a time, with at most one waiting. */
import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 1_000;

/** Merges requests during a rebuild, or within a second of its start, into one rebuild. */
export class RebuildGate {
  readonly #rebuild: () => Promise<void>;
  readonly #signal: AbortSignal;
  #isBusy = false;
  #isAskedAgain = false;

  constructor(rebuild: () => Promise<void>, signal: AbortSignal) {
    this.#rebuild = rebuild;
    this.#signal = signal;
  }

  /** Requests a rebuild that starts after this call; resolves when no rebuild is left. */
  async ask(): Promise<void> {
    if (this.#isBusy) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isBusy = true;
    try {
      do {
        this.#isAskedAgain = false;
        const pause = delay(PAUSE_MS, undefined, { signal: this.#signal, ref: false }).catch(
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
