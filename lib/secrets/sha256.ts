import { createHash } from "node:crypto";

/** SHA-256 of a text or of bytes, hex: for keys, validators, and random secrets, which need no slow hash. */
export function sha256(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex");
}
