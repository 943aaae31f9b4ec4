import type { KeyObject } from "node:crypto";

/** Keys that tokens are verified with. */
export interface TokenKeys {
  readonly algorithm: "HS256" | "RS256";
  /** The key of an id; null when there is none. Never throws. */
  get(kid: string | null): Promise<KeyObject | null>;
  /** Unix ms until when what was verified with these keys may be taken for true. */
  validUntil(): number;
}

/** Keys as an address gave them. */
export interface FetchedKeys {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** How long they may be kept, as the answer says; null when it does not. */
  readonly maxAgeSeconds: number | null;
}
