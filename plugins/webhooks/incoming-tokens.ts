/** Checks the tokens of incoming webhooks, and limits guessing them. */
import { constantTimeEqual, type Env, HttpError, type Clock } from "#kernel";
import { createSlidingWindow } from "#lib/concurrency";
import type { AttemptLimit, SecurityService } from "../security/contract.js";
import type { IncomingAction, IncomingWebhookSection } from "./contract.js";

const MIN_LENGTH = 16;

/** The current token of an entry; null when it is unset or too short. */
function currentToken({ token }: IncomingWebhookSection, env: Env): string | null {
  const value = env.expand(token);
  return value === undefined || value.length < MIN_LENGTH ? null : value;
}

/**
 * The actions of every entry with this token; empty for an unknown token. Compares every entry, each
 * in constant time.
 */
export function permittedActions(
  entries: readonly IncomingWebhookSection[],
  given: string,
  env: Env,
): ReadonlySet<IncomingAction> {
  const actions = new Set<IncomingAction>();
  for (const entry of entries) {
    const token = currentToken(entry, env);
    const matches = constantTimeEqual(given, token ?? "") && token !== null;
    if (matches) for (const action of entry.actions) actions.add(action);
  }
  return actions;
}

/** Indexes of the entries that cannot match any token in the current environment. */
export function unusableEntries(entries: readonly IncomingWebhookSection[], env: Env): number[] {
  return entries.flatMap((entry, index) => (currentToken(entry, env) === null ? [index] : []));
}

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
