import type { KeyObject } from "node:crypto";

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
