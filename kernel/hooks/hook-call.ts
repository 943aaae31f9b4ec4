import { SiteError } from "../errors.js";
import { within } from "../waiting/within.js";

/** Time limit of a handler, in ms. */
const HANDLER_LIMIT_MS = 5_000;

/** The payload on its way through the handlers. */
export class Propagation<D> {
  readonly name: string;
  data: D;
  stopped = false;

  constructor(name: string, data: D) {
    this.name = name;
    this.data = data;
  }
}

/** Waits for a handler up to its limit, then aborts its signal. @throws ERR_HOOK_TIMEOUT. */
export function withinLimit(
  pending: Promise<void>,
  limit: AbortController,
  who: string,
): Promise<void> {
  return within(HANDLER_LIMIT_MS, pending, () => {
    limit.abort();
    throw new SiteError("ERR_HOOK_TIMEOUT", `${who} did not finish within ${HANDLER_LIMIT_MS} ms`);
  });
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
