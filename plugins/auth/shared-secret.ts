import { createSecretKey, type KeyObject } from "node:crypto";
import type { TokenKeys } from "./token-keys.js";

/** The one key of HS256 tokens, whatever `kid` they name. */
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
