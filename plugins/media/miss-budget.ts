import { HttpError, type Clock } from "#kernel";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;
/** Maximum number of tracked addresses. */
const MAX_ADDRESSES = 10_000;

/** Tracks how many new variants each address may still request in this minute. */
export class MissBudget {
  readonly #perMinute: number;
  readonly #clock: Clock;
  // Not a cache: counters of clients.
  readonly #spent = new LRUCache<string, { since: number; count: number }>({ max: MAX_ADDRESSES });

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** @throws ERR_MEDIA_BUDGET (429) with `Retry-After` when the budget is used up. */
  spend(address: string): void {
    const now = this.#clock.now();
    const entry = this.#spent.get(address);
    // A clock that is set back must not lock clients out.
    if (entry === undefined || now - entry.since >= WINDOW_MS || now < entry.since) {
      this.#spent.set(address, { since: now, count: 1 });
      return;
    }
    if (entry.count >= this.#perMinute) {
      const seconds = Math.ceil((entry.since + WINDOW_MS - now) / 1000);
      throw new HttpError(429, "too many new images, try again later", {
        code: "ERR_MEDIA_BUDGET",
        headers: { "Retry-After": String(seconds) },
      });
    }
    entry.count += 1;
  }
}
