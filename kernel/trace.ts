import { SiteError } from "#lib/errors";
import type { Trace, TraceFacts, Tracer } from "./contracts.js";
import type { Timings } from "#lib/http";

const NONE: Readonly<Record<string, string>> = Object.freeze({});

/** The traces of one site. Without a tracer work runs directly: nothing is allocated. */
export class SiteTrace implements Trace {
  #tracer: Tracer | null = null;
  readonly #timings: Timings | null;

  /** `timings`: receives the durations of a request's spans. */
  constructor(timings: Timings | null = null) {
    this.#timings = timings;
  }

  get on(): boolean {
    return this.#tracer !== null || this.#timings !== null;
  }

  /** @throws ERR_TRACER_DUPLICATE. */
  use(tracer: Tracer): void {
    if (this.#tracer !== null) {
      throw new SiteError("ERR_TRACER_DUPLICATE", "two plugins record traces", {
        fix: "select one of them",
      });
    }
    this.#tracer = tracer;
  }

  span<T>(name: string, work: () => T, facts?: TraceFacts): T {
    if (this.#timings !== null)
      return this.#timings.time(name, () => this.#trace(name, work, facts));
    return this.#tracer === null ? work() : this.#tracer.span(name, work, facts);
  }

  #trace<T>(name: string, work: () => T, facts?: TraceFacts): T {
    return this.#tracer === null ? work() : this.#tracer.span(name, work, facts);
  }

  traced<T extends object>(name: string, target: T): T {
    return this.on ? new Proxy(target, new SpanPerCall<T>(this, name)) : target;
  }

  headers(): Readonly<Record<string, string>> {
    return this.#tracer === null ? NONE : this.#tracer.headers();
  }
}

class SpanPerCall<T extends object> implements ProxyHandler<T> {
  readonly #trace: Trace;
  readonly #name: string;

  constructor(trace: Trace, name: string) {
    this.#trace = trace;
    this.#name = name;
  }

  get(target: T, key: string | symbol): unknown {
    const value: unknown = Reflect.get(target, key, target);
    if (typeof value !== "function" || typeof key === "symbol") return value;
    return (...args: unknown[]): unknown =>
      // Private fields are only found on the object itself.
      this.#trace.span(`${this.#name}.${key}`, (): unknown => Reflect.apply(value, target, args));
  }
}
