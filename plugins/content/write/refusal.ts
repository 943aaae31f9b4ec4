import type { FieldViolation } from "../contract.js";
import type { ContentErrorCode } from "../errors.js";

/** Rejects one change; the others of its batch still apply. */
export class Refusal extends Error {
  readonly code: ContentErrorCode;
  /** Digest of the existing file, if it is the reason. */
  readonly hash: string | undefined;
  /** The fields that are the reason. */
  readonly violations: readonly FieldViolation[] | undefined;

  constructor(
    code: ContentErrorCode,
    message: string,
    reason: { hash?: string | undefined; violations?: readonly FieldViolation[] } = {},
  ) {
    super(message);
    this.code = code;
    this.hash = reason.hash;
    this.violations = reason.violations;
  }
}
