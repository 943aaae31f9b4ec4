/** Incoming webhooks: the tokens that permit actions, a limit for guessing them, and the actions. */
import { setTimeout as delay } from "node:timers/promises";
import { constantTimeEqual, type Env, HttpError, type SiteContext } from "#kernel";
import { AttemptLimiter } from "#lib/concurrency";
import type { SecurityService } from "../security/contract.js";
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
  presented: string,
  env: Env,
): ReadonlySet<IncomingAction> {
  const actions = new Set<IncomingAction>();
  for (const entry of entries) {
    const token = currentToken(entry, env);
    const matches = constantTimeEqual(presented, token ?? "") && token !== null;
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

/** Limits the wrong tokens of an address. */
export class GuessLimit {
  readonly #security: Pick<SecurityService, "attempts" | "clientKey">;
  readonly #attempts: AttemptLimiter;

  constructor(security: Pick<SecurityService, "attempts" | "clientKey">) {
    this.#security = security;
    this.#attempts = new AttemptLimiter(security.attempts);
  }

  /**
   * Counts a call as a wrong token until `check` has compared it, so that concurrent calls cannot exceed the limit.
   * `check` returns null for a wrong token; a call with a right one, or that throws, never counts.
   * @throws HttpError 429 above the limit, and what `check` throws.
   */
  async run<T>(ip: string, check: () => T | null): Promise<T | null> {
    const key = `incoming-webhook:${this.#security.clientKey(ip)}`;
    const verdict = await this.#attempts.take(key, FAILURES, WINDOW_MS);
    if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds);
    let isWrong = false;
    try {
      const checked = check();
      isWrong = checked === null;
      return checked;
    } finally {
      if (isWrong) this.#attempts.failed(key);
      else await this.#attempts.release(key, WINDOW_MS);
    }
  }
}

function tooMany(seconds: number): HttpError {
  return new HttpError(429, "too many wrong tokens, wait before the next call", {
    headers: { "Retry-After": String(Math.max(seconds, 1)) },
  });
}

/** Runs one action; a rebuild continues in the background. */
type RunAction = (action: IncomingAction) => Promise<void>;

/** The actions of a site. */
export function createActions(site: SiteContext): RunAction {
  const gate = new RebuildGate(() => rebuild(site), site.lifecycle.signal);
  return async (action) => {
    if (action === "purge-cache") {
      site.use("cache", { optional: true })?.clear();
      await site.use("media", { optional: true })?.purge();
      return;
    }
    gate.ask().catch((error: unknown) => {
      site.log.error("webhooks.rebuild_failed", { error: String(error) });
    });
  };
}

/** Logs a failure, so that a following rebuild still runs. */
async function rebuild(site: SiteContext): Promise<void> {
  try {
    await site.use("content").rebuild();
    site.log.info("webhook.rebuilt");
  } catch (error) {
    site.log.error("webhooks.rebuild_failed", { error: String(error) });
  }
}

const PAUSE_MS = 1_000;

/** Merges requests during a rebuild, or within a second of its start, into one rebuild. */
export class RebuildGate {
  readonly #rebuild: () => Promise<void>;
  readonly #signal: AbortSignal;
  #isBusy = false;
  #isAskedAgain = false;

  constructor(rebuild: () => Promise<void>, signal: AbortSignal) {
    this.#rebuild = rebuild;
    this.#signal = signal;
  }

  /** Requests a rebuild that starts after this call; resolves when no rebuild is left. */
  async ask(): Promise<void> {
    if (this.#isBusy) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isBusy = true;
    try {
      do {
        this.#isAskedAgain = false;
        const pause = delay(PAUSE_MS, undefined, { signal: this.#signal, ref: false }).catch(
          () => undefined,
        );
        await this.#rebuild();
        await pause;
      } while (this.#isAskedAgain && !this.#signal.aborted);
    } finally {
      this.#isBusy = false;
    }
  }
}
