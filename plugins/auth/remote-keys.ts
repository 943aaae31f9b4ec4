import type { KeyObject } from "node:crypto";
import type { Clock, Logger } from "#kernel";
import type { FetchedKeys, TokenKeys } from "./token-keys.js";

/** How long keys are kept, as their address says, within these bounds; in ms. */
const SHORTEST_MS = 10 * 60_000;
const LONGEST_MS = 24 * 3_600_000;
/** Between two fetches for the sake of an unknown id. */
const UNKNOWN_MS = 60_000;
/** Between two tries while the address fails. */
const RETRY_MS = 30_000;

/** What the keys stand on. */
export interface RemoteKeysOptions {
  fetchKeys(): Promise<FetchedKeys>;
  clock: Clock;
  log: Logger;
}

/**
 * RS256 keys of an identity provider: fetched once for all who wait, kept while they are good, and
 * beyond that through an outage. Unknown ids make at most one fetch a minute.
 */
export class RemoteKeys implements TokenKeys {
  readonly algorithm = "RS256";
  readonly #options: RemoteKeysOptions;
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #goodUntil = 0;
  #failedAt = -Infinity;
  #unknownAt = -Infinity;
  #running: Promise<void> | null = null;

  constructor(options: RemoteKeysOptions) {
    this.#options = options;
  }

  async get(kid: string | null): Promise<KeyObject | null> {
    if (this.#isOld()) await this.#refresh();
    const key = this.#find(kid);
    if (key !== null || !this.#mayLookAgain()) return key;
    this.#unknownAt = this.#options.clock.now();
    await this.#refresh();
    return this.#find(kid);
  }

  validUntil(): number {
    // During an outage the last keys stand; what they verify is looked at again with each retry.
    return Math.max(this.#goodUntil, this.#options.clock.now() + RETRY_MS);
  }

  /** A token without `kid` has a key only where there is no choice. */
  #find(kid: string | null): KeyObject | null {
    if (kid !== null) return this.#keys.get(kid) ?? null;
    const [only, second] = this.#keys.values();
    return only !== undefined && second === undefined ? only : null;
  }

  #isOld(): boolean {
    const now = this.#options.clock.now();
    return now >= this.#goodUntil && now - this.#failedAt >= RETRY_MS;
  }

  #mayLookAgain(): boolean {
    const now = this.#options.clock.now();
    return now - this.#unknownAt >= UNKNOWN_MS && now - this.#failedAt >= RETRY_MS;
  }

  #refresh(): Promise<void> {
    this.#running ??= this.#fetch().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #fetch(): Promise<void> {
    const { fetchKeys, clock, log } = this.#options;
    try {
      const { keys, maxAgeSeconds } = await fetchKeys();
      const keepMs = (maxAgeSeconds ?? 0) * 1000;
      this.#keys = keys;
      this.#goodUntil = clock.now() + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, keepMs));
      this.#failedAt = -Infinity;
    } catch (error) {
      this.#failedAt = clock.now();
      log.warn("auth.jwks_failed", { error: String(error), kept: this.#keys.size });
    }
  }
}
