import { randomBytes } from "node:crypto";
import { sha256 } from "#kernel/internal";

const COUNT = 10;
/** 32 characters, without some that look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Ten codes of 80 random bits, `xxxx-xxxx-xxxx-xxxx`, and their digests. */
export function createRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: COUNT }, createCode);
  return { codes, hashes: codes.map(recoveryDigest) };
}

/** The digest of a code as a person writes it: case, spaces and dashes do not matter. */
export function recoveryDigest(code: string): string {
  return sha256(code.toLowerCase().replaceAll(/[\s-]/g, ""));
}

function createCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join("").replaceAll(/.{4}(?=.)/g, "$&-");
}
