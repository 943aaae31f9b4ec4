import { CircuitBreaker } from "#lib/stores";
import type { HookStat } from "../contracts.js";

/** Consecutive failures after which a handler is disabled for a while. */
const FAILURES_TO_OPEN = 5;
/** Time for which it stays disabled, in ms; then one call decides. */
const OPEN_MS = 60_000;

/** Fields of the log line about a handler that is switched off. */
export const SWITCHED_OFF = {
  failures: FAILURES_TO_OPEN,
  seconds: OPEN_MS / 1_000,
  fix: "correct the plugin; after this time one call decides whether it runs again",
} as const;

/** Counts, timings and the breaker of one handler. */
export class HandlerStats {
  readonly #plugin: string;
  readonly #hook: string;
  readonly #breaker: CircuitBreaker;
  #calls = 0;
  #errors = 0;
  #totalMs = 0;
  #maxMs = 0;
  #lastError: string | null = null;
  #hasReturned = false;

  constructor(plugin: string, hook: string, now: () => number) {
    this.#plugin = plugin;
    this.#hook = hook;
    this.#breaker = new CircuitBreaker({ failures: FAILURES_TO_OPEN, pauseMs: OPEN_MS, now });
  }

  succeeded(ms: number): void {
    this.#count(ms);
    this.#breaker.succeeded();
  }

  failed(ms: number, message: string): void {
    this.#count(ms);
    this.#errors += 1;
    this.#lastError = message;
    this.#breaker.failed();
  }

  /** True while the breaker has disabled the handler. */
  isOpen(): boolean {
    return this.#breaker.isOpen;
  }

  /** True at the first call: warnings about returned values come once. */
  isFirstReturn(): boolean {
    const isFirst = !this.#hasReturned;
    this.#hasReturned = true;
    return isFirst;
  }

  row(): HookStat {
    return {
      plugin: this.#plugin,
      hook: this.#hook,
      calls: this.#calls,
      errors: this.#errors,
      totalMs: this.#totalMs,
      maxMs: this.#maxMs,
      open: this.isOpen(),
      lastError: this.#lastError,
    };
  }

  #count(ms: number): void {
    this.#calls += 1;
    this.#totalMs += ms;
    this.#maxMs = Math.max(this.#maxMs, ms);
  }
}
