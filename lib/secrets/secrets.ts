/** Secrets of tokens and links, of which only digests are stored. */
import {
  randomBytes,
  createHash,
  timingSafeEqual,
  createCipheriv,
  createDecipheriv,
} from "node:crypto";

/** 256 random bits, as 43 characters of an address. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** True for the secret of a stored digest; takes the same time for any text. */
export function isSecretOf(secret: string, digest: string): boolean {
  return constantTimeEqual(sha256(secret), digest);
}

/** SHA-256 of a text or of bytes, hex: for keys, validators, and random secrets, which need no slow hash. */
export function sha256(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex");
}

/** True when both strings are equal; the time it takes does not depend on their content. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and authenticates a text; base64url. */
export function sealText(text: string, key: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), data]).toString("base64url");
}

/** The text of `sealText`; null when it is damaged, forged or sealed with another key. */
export function openText(sealed: string, key: Buffer): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const data = bytes.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8");
  } catch {
    // Each cause means the same to the caller.
    return null;
  }
}
