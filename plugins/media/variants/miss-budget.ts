import { HttpError } from "#kernel";
import type { RateVerdict } from "../../security/contract.js";

const WINDOW_MS = 60_000;

/** Counts in the site's rate limiter: `security.limit`, or the same in memory. */
type Limit = (key: string, limit: number, windowMs: number) => RateVerdict | Promise<RateVerdict>;

/** Limits the new variants per address and minute. */
export class MissBudget {
  readonly #perMinute: number;
  readonly #limit: Limit;

  constructor(perMinute: number, limit: Limit) {
    this.#perMinute = perMinute;
    this.#limit = limit;
  }

  /** @throws ERR_MEDIA_BUDGET (429) with `Retry-After` when the budget is used up. */
  async spend(address: string): Promise<void> {
    const verdict = await this.#limit(`image-miss:${address}`, this.#perMinute, WINDOW_MS);
    if (verdict.allowed) return;
    throw new HttpError(429, "too many new images, try again later", {
      code: "ERR_MEDIA_BUDGET",
      headers: { "Retry-After": String(verdict.retryAfterSeconds) },
    });
  }
}
