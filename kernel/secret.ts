/** Secrets of tokens and links, of which only digests are stored. */
import { createHash, randomBytes } from "node:crypto";
import { constantTimeEqual } from "./constant-time-equal.js";

/** 256 random bits, as 43 characters of an address. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 of a secret, hex: with 256 random bits no slow hash is needed. */
export function secretDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** True for the secret of a stored digest; takes the same time for any text. */
export function isSecretOf(secret: string, digest: string): boolean {
  return constantTimeEqual(secretDigest(secret), digest);
}
