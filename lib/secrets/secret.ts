/** Secrets of tokens and links, of which only digests are stored. */
import { randomBytes } from "node:crypto";
import { constantTimeEqual } from "./constant-time-equal.js";
import { sha256 } from "./sha256.js";

/** 256 random bits, as 43 characters of an address. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** True for the secret of a stored digest; takes the same time for any text. */
export function isSecretOf(secret: string, digest: string): boolean {
  return constantTimeEqual(sha256(secret), digest);
}
