import type { ContentErrorCode } from "../errors.js";

/** Rejects one change; the others of its batch still apply. */
export class Refusal extends Error {
  readonly code: ContentErrorCode;
  /** Digest of the existing file, if it is the reason. */
  readonly hash: string | undefined;

  constructor(code: ContentErrorCode, message: string, hash?: string) {
    super(message);
    this.code = code;
    this.hash = hash;
  }
}
