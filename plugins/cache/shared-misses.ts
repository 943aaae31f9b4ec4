import { LRUCache } from "lru-cache";
import { HttpError, SingleFlight } from "#kernel";

/** Keys of answers that were not cached, and how long requests for them are not made to wait, in ms. */
const MAX_UNSHARED = 5_000;
const UNSHARED_MS = 10_000;
/** Requests that wait for those of others. */
const MAX_WAITING = 4_000;

/**
 * Cold addresses: the first request for a key is answered, the others wait and find its answer in the
 * cache. Answers that are not cached are each request's own.
 */
export class SharedMisses {
  readonly #running = new SingleFlight<number | null>();
  readonly #unshared = new LRUCache<string, true>({ max: MAX_UNSHARED, ttl: UNSHARED_MS });
  #waiting = 0;

  /**
   * Null when the request must be answered itself; otherwise resolves with the status of the request
   * for the key that is being answered, null when its client left before that.
   * `answered` waits for the answer of this request: its status, null when its client left.
   * @throws HttpError 503 when too many requests wait.
   */
  join(key: string, answered: () => Promise<number | null>): Promise<number | null> | null {
    if (this.#unshared.has(key)) return null;
    const { result, isFirst } = this.#running.join(key, answered);
    if (isFirst) return null;
    if (this.#waiting >= MAX_WAITING) throw busy();
    this.#waiting += 1;
    return result.finally(() => void (this.#waiting -= 1));
  }

  /** Notes that the answer of a key was not cached: it depends on more than the key, or is an error. */
  notCached(key: string): void {
    this.#unshared.set(key, true);
  }
}

function busy(): HttpError {
  return new HttpError(503, "too many requests wait, try again", {
    headers: { "Retry-After": "2" },
  });
}
