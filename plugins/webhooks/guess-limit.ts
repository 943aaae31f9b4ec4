/** Limits token guessing: 30 failures per minute and address, then a pause. */
import { LRUCache } from "lru-cache";
import { HttpError } from "#kernel";
import type { SecurityService } from "../security/contract.js";

const failures = 30;
const windowMs = 60_000;
const remembered = 10_000;

/** Counts failures and blocks addresses with too many. */
export class GuessLimit {
  readonly #security: SecurityService | undefined;
  // Not a cache: counters per address.
  readonly #blocked = new LRUCache<string, number>({ max: remembered });
  readonly #now: () => number;

  constructor(security: SecurityService | undefined, now: () => number) {
    this.#security = security;
    this.#now = now;
  }

  /** @throws 429 while an address is blocked. */
  check(ip: string): void {
    const until = this.#blocked.get(this.#key(ip));
    const left = until === undefined ? 0 : until - this.#now();
    // If the clock is set back, the lock still ends after the window.
    if (left > 0 && left <= windowMs) throw tooMany(Math.ceil(left / 1_000));
  }

  /** Counts a failure. @throws 429 above the limit. */
  async count(ip: string): Promise<void> {
    const key = this.#key(ip);
    const verdict = await this.#security?.limit(`incoming-webhook:${key}`, failures, windowMs);
    if (verdict === undefined || verdict.allowed) return;
    this.#blocked.set(key, this.#now() + verdict.retryAfterSeconds * 1_000);
    throw tooMany(verdict.retryAfterSeconds);
  }

  #key(ip: string): string {
    return this.#security?.clientKey(ip) ?? ip;
  }
}

function tooMany(seconds: number): HttpError {
  return new HttpError(429, "too many wrong tokens, wait before the next call", {
    headers: { "Retry-After": String(Math.max(seconds, 1)) },
  });
}
