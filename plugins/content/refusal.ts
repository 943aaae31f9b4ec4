import type { ContentErrorCode } from "./errors.js";

/** A change that cannot be made; the others of its batch still are. */
export class Refusal extends Error {
  readonly code: ContentErrorCode;
  /** Digest of the file that stands, where that is why. */
  readonly hash: string | undefined;

  constructor(code: ContentErrorCode, message: string, hash?: string) {
    super(message);
    this.code = code;
    this.hash = hash;
  }
}
