import { type KeyObject, createSecretKey, createPublicKey } from "node:crypto";
import type { Clock, Logger } from "#kernel";
import { z } from "zod";
import type { ProviderCalls } from "../providers/provider-calls.js";

/** Keys that verify tokens. */
export interface TokenKeys {
  readonly algorithm: "HS256" | "RS256";
  /** The key with this id, or null. Never throws. */
  get(kid: string | null): Promise<KeyObject | null>;
  /** Unix ms until which results verified with these keys may be cached. */
  validUntil(): number;
}

/** Fetched keys. */
export interface FetchedKeys {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** `max-age` of the response; null when absent. */
  readonly maxAgeSeconds: number | null;
}

/** Bounds of how long keys are cached, in ms. */
const MIN_CACHE_MS = 10 * 60_000;
const MAX_CACHE_MS = 24 * 3_600_000;
/** Minimum interval between two fetches for an unknown id. */
const UNKNOWN_MS = 60_000;
/** Minimum interval between two retries during an outage. */
const RETRY_MS = 30_000;

/** Dependencies of the keys. */
export interface RemoteKeysOptions {
  fetchKeys(): Promise<FetchedKeys>;
  clock: Clock;
  log: Logger;
}

/**
 * RS256 keys of an identity provider: fetched once for all waiting requests, cached until they
 * expire, and beyond that during an outage. Unknown ids cause at most one fetch a minute.
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
    // During an outage the last keys remain valid; results are verified again with each retry.
    return Math.max(this.#goodUntil, this.#options.clock.now() + RETRY_MS);
  }

  /** A token without `kid` only gets a key if there is exactly one. */
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
      this.#goodUntil = clock.now() + Math.min(MAX_CACHE_MS, Math.max(MIN_CACHE_MS, keepMs));
      this.#failedAt = -Infinity;
    } catch (error) {
      this.#failedAt = clock.now();
      log.warn("auth.jwks_failed", { error: String(error), cached: this.#keys.size });
    }
  }
}

/** The single key of HS256 tokens, for any `kid`. */
export class SharedSecret implements TokenKeys {
  readonly algorithm = "HS256";
  readonly #key: KeyObject;

  constructor(secret: string) {
    this.#key = createSecretKey(Buffer.from(secret, "utf8"));
  }

  get(): Promise<KeyObject> {
    return Promise.resolve(this.#key);
  }

  validUntil(): number {
    return Infinity;
  }
}

/** RFC 7518 3.3. */
const MIN_BITS = 2_048;
const LIMITS = { timeoutMs: 5_000, maxBytes: 65_536 };

const jwk = z.looseObject({
  kty: z.literal("RSA"),
  kid: z.string().optional(),
  use: z.literal("sig").optional(),
  alg: z.literal("RS256").optional(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes("verify"))
    .optional(),
  n: z.string(),
  e: z.string(),
});
const jwks = z.object({ keys: z.array(z.unknown()).max(100) });

/**
 * Fetches the RS256 keys published at a URL; ignores other keys.
 * @throws when the response is not a key set.
 */
export async function fetchJwks(jwksUri: string, calls: ProviderCalls): Promise<FetchedKeys> {
  const { JwksClient } = (await import("jwks-rsa")).default;
  let maxAgeSeconds: number | null = null;
  const client = new JwksClient({
    jwksUri,
    cache: false,
    rateLimit: false,
    fetcher: async (address) => {
      const request = { headers: { Accept: "application/json" } };
      const response = await calls.fetch(address, request, LIMITS);
      if (response.status !== 200) throw new TypeError(`responded with status ${response.status}`);
      maxAgeSeconds = maxAge(response.headers.get("cache-control"));
      const { keys } = jwks.parse(await response.json());
      return { keys: keys.filter((key) => jwk.safeParse(key).success) };
    },
  });
  const signingKeys = await client.getSigningKeys();
  const keys = new Map<string, KeyObject>();
  for (const one of signingKeys) {
    const key = createPublicKey(one.getPublicKey());
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits >= MIN_BITS) keys.set(one.kid ?? "", key);
  }
  return { keys, maxAgeSeconds };
}

function maxAge(cacheControl: string | null): number | null {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? "")?.[1];
  return seconds === undefined ? null : Number(seconds);
}
