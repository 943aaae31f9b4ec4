import type { HookContextExtras, Logger, Settings } from "../contracts.js";
import type { Propagation } from "./hook-call.js";

/** The parts of a call beside its payload. */
export interface CallParts {
  settings: Settings;
  log: Logger;
  /** Aborted when the handler's time limit has passed. */
  limit: AbortController;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

/**
 * The argument of a handler. Computed fields are on the prototype: own accessors would give each
 * context a hidden class.
 */
class CallContext<D> {
  readonly event: string;
  readonly settings: Settings;
  readonly log: Logger;
  readonly #state: Propagation<D>;
  readonly #parts: CallParts;
  #signal: AbortSignal | null = null;

  constructor(state: Propagation<D>, parts: CallParts) {
    this.event = state.name;
    this.settings = parts.settings;
    this.log = parts.log;
    this.#state = state;
    this.#parts = parts;
  }

  get data(): D {
    return this.#state.data;
  }

  get signal(): AbortSignal {
    const { limit, closing } = this.#parts;
    return (this.#signal ??= AbortSignal.any([limit.signal, closing]));
  }

  readonly setData = (next: D): void => void (this.#state.data = next);
  readonly stopPropagation = (): void => void (this.#state.stopped = true);
}

/** The contexts of one bus, with the fields that plugins add to them. */
export class HookContexts {
  readonly #Context = class<D> extends CallContext<D> {};

  /** Adds a field, computed on each read. */
  extend(key: string, get: () => unknown): void {
    const place = { get, enumerable: true, configurable: true };
    Object.defineProperty(this.#Context.prototype, key, place);
  }

  /** The context of one call. */
  of<D>(state: Propagation<D>, parts: CallParts): CallContext<D> & HookContextExtras {
    // `extend` has added the fields that HookContextExtras declares.
    return new this.#Context(state, parts) as CallContext<D> & HookContextExtras;
  }
}
