import { AsyncLocalStorage } from "node:async_hooks";

/** Name of the header. */
export const SERVER_TIMING = "Server-Timing";
/** Maximum number of entries: browsers show a list. */
const MAX_ENTRIES = 20;
const NOT_TOKEN = /[^\w.-]+/g;

/** Durations measured during one request; repeated work is summed up. */
export class RequestTimings {
  readonly #started = performance.now();
  readonly #entries = new Map<string, { ms: number; times: number }>();

  add(name: string, ms: number): void {
    const entry = this.#entries.get(name) ?? { ms: 0, times: 0 };
    this.#entries.set(name, { ms: entry.ms + ms, times: entry.times + 1 });
  }

  /** The header's value: the total, then the parts, slowest first. */
  header(): string {
    const parts = [...this.#entries]
      .toSorted(([, a], [, b]) => b.ms - a.ms)
      .slice(0, MAX_ENTRIES)
      .map(([name, { ms, times }]) => {
        const shown = times === 1 ? name : `${name} (${times}x)`;
        return `${name.replace(NOT_TOKEN, "_")};desc=${JSON.stringify(shown)};dur=${ms.toFixed(2)}`;
      });
    const total = `total;dur=${(performance.now() - this.#started).toFixed(2)}`;
    return [total, ...parts].join(", ");
  }
}

/** The timings of the current request: in dev mode. */
export class Timings {
  // One for all sites of the process: each storage ever used slows down every promise.
  static readonly #current = new AsyncLocalStorage<RequestTimings>();

  /** Runs the work of a request; durations recorded meanwhile belong to it. */
  run(timings: RequestTimings, work: () => void): void {
    Timings.#current.run(timings, work);
  }

  /** Records `ms` for the current request; does nothing outside of one. */
  add(name: string, ms: number): void {
    Timings.#current.getStore()?.add(name, ms);
  }

  /** Runs `work` and records its duration until its promise settles. */
  time<T>(name: string, work: () => T): T {
    const timings = Timings.#current.getStore();
    if (timings === undefined) return work();
    const started = performance.now();
    const note = (): void => timings.add(name, performance.now() - started);
    const result = work();
    if (result instanceof Promise) result.then(note, note);
    else note();
    return result;
  }
}
