import type { Response } from "express";
import type { CacheEntry } from "#kernel";
import { onAnswered } from "#kernel/internal";
import type { CachedResponse } from "../cached-response.js";
import type { SharedResponse } from "../response-cache.js";

/** Why a response cannot be shared with waiting requests. */
export class UnsharedResponseError extends Error {
  /** False when the client left before its response, so another request must be processed. */
  readonly isSent: boolean;

  constructor(isSent: boolean) {
    super(isSent ? "the response failed" : "the client has left");
    this.isSent = isSent;
  }
}

/** The response of a request that others may wait for. */
export class PendingResponse {
  readonly result: Promise<SharedResponse>;
  readonly #entry: CacheEntry;
  #resolve: ((response: SharedResponse) => void) | null = null;
  #reject: (reason: Error) => void = () => undefined;

  constructor(entry: CacheEntry, res: Response) {
    this.#entry = entry;
    this.result = new Promise<SharedResponse>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    onAnswered(res, () => this.#end(res));
  }

  /** Passes the response to the cache and to waiting requests. `until`: Unix ms. */
  store(response: CachedResponse, until: number | null): void {
    this.#entry.key = response.key;
    this.#entry.until = until;
    for (const tag of response.tags) this.#entry.tags.add(tag);
    this.#resolve?.(response);
    this.#resolve = null;
  }

  /** Do not mark errors as uncacheable: the next response may be cached. */
  #end({ headersSent, statusCode }: Response): void {
    if (this.#resolve === null) return;
    if (!headersSent || statusCode >= 500) {
      this.#reject(new UnsharedResponseError(headersSent));
      return;
    }
    this.#entry.private = true;
    this.#resolve(null);
  }
}
