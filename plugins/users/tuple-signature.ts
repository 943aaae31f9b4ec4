import { createHmac } from "node:crypto";
import { constantTimeEqual, SiteError } from "#kernel";
import type { Tuple } from "./contract.js";

const BYTES = 32;

/** Signs and checks tuples with SITE_AUTHZ_HMAC_SECRET; without the secret every tuple is valid. */
export class TupleSignature {
  readonly #secret: string | undefined;

  /** @throws ERR_AUTHZ_SECRET for fewer than 32 bytes. */
  constructor(secret: string | undefined) {
    this.#secret = secret;
    if (secret === undefined || Buffer.byteLength(secret) >= BYTES) return;
    throw new SiteError(
      "ERR_AUTHZ_SECRET",
      `SITE_AUTHZ_HMAC_SECRET has ${Buffer.byteLength(secret)} bytes, at least ${BYTES} are needed`,
      { fix: "set it to the output of: openssl rand -hex 32" },
    );
  }

  sign({ user, relation, object }: Tuple): Tuple {
    const tuple = { user, relation, object };
    return this.#secret === undefined ? tuple : { ...tuple, hmac: hmacOf(tuple, this.#secret) };
  }

  /** False for an unsigned or forged tuple, and for a tuple copied from another user. */
  isValid(tuple: Tuple, user: string): boolean {
    if (tuple.user !== user) return false;
    if (this.#secret === undefined) return true;
    return tuple.hmac !== undefined && constantTimeEqual(tuple.hmac, hmacOf(tuple, this.#secret));
  }
}

function hmacOf({ user, relation, object }: Tuple, secret: string): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([user, relation, object]))
    .digest("hex");
}
