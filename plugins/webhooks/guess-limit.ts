/** Limits token guessing: 30 failures per minute and address, then a pause. */
import { HttpError, type Clock } from "#kernel";
import { createSlidingWindow } from "#kernel/internal";
import type { AttemptLimit, SecurityService } from "../security/contract.js";

const FAILURES = 30;
const WINDOW_MS = 60_000;

/** Counts failures; without the plugin `security` in memory. */
export class GuessLimit {
  readonly #attempts: AttemptLimit;
  readonly #security: Pick<SecurityService, "attempts" | "clientKey"> | undefined;

  constructor(security: Pick<SecurityService, "attempts" | "clientKey"> | undefined, clock: Clock) {
    this.#security = security;
    this.#attempts = security?.attempts ?? createSlidingWindow(() => clock.now());
  }

  /** Counts a failure. @throws 429 above the limit. */
  async count(ip: string): Promise<void> {
    const verdict = await this.#attempts.take(this.#key(ip), FAILURES, WINDOW_MS);
    if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds);
  }

  /** Counts nothing. @throws 429 while an address is blocked. */
  async check(ip: string): Promise<void> {
    await this.count(ip);
    await this.#attempts.release(this.#key(ip), WINDOW_MS);
  }

  #key(ip: string): string {
    return `incoming-webhook:${this.#security?.clientKey(ip) ?? ip}`;
  }
}

function tooMany(seconds: number): HttpError {
  return new HttpError(429, "too many wrong tokens, wait before the next call", {
    headers: { "Retry-After": String(Math.max(seconds, 1)) },
  });
}
