import { SiteError } from "#lib/errors";
import type { ValueCheck } from "#lib/values";
import { within } from "#lib/concurrency";

/** Default time limit of a handler, and of a contribution to an extension list, in ms. */
export const HANDLER_LIMIT_MS = 5_000;

/** The payload on its way through the handlers. */
export class Propagation<D> {
  readonly name: string;
  readonly check: ValueCheck | null;
  data: D;
  stopped = false;

  constructor(name: string, data: D, check: ValueCheck | null = null) {
    this.name = name;
    this.data = data;
    this.check = check;
  }

  /** The payload to return to when a handler fails: a copy, as handlers may change it in place. */
  copy(): D {
    return this.check === null ? this.data : { ...this.data };
  }

  /** @throws ERR_HOOK_VALUE when a handler has left a payload that the hook does not accept. */
  assertValid(): void {
    const problem = this.check?.(this.data) ?? null;
    if (problem === null) return;
    throw new SiteError("ERR_HOOK_VALUE", `wrong payload of ${this.name}: ${problem}`, {
      fix: "pass the whole payload to setData: setData({ ...data, /* what changes */ })",
    });
  }
}

/** Waits for a handler up to its limit, then aborts its signal. @throws ERR_HOOK_TIMEOUT. */
export function withinLimit(
  pending: PromiseLike<unknown>,
  limit: AbortController,
  who: string,
  limitMs = HANDLER_LIMIT_MS,
): Promise<unknown> {
  return within(limitMs, Promise.resolve(pending), () => {
    limit.abort();
    throw new SiteError("ERR_HOOK_TIMEOUT", `${who} did not finish within ${limitMs} ms`, {
      fix: "await only what ends in time, and stop at the handler's `signal`; jobs do long work",
    });
  });
}
