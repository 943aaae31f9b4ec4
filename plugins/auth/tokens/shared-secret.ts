import { createSecretKey, type KeyObject } from "node:crypto";
import type { TokenKeys } from "./token-keys.js";

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
