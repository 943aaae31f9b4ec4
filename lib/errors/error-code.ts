/** The code of an error: `ENOENT` of Node, our `ERR_…`; empty for any other value. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** True for the code of a failure: `ERR_…` and `ENOENT`; any other code may be a secret, such as a login code. */
export function isErrorCode(value: unknown): value is string {
  return typeof value === "string" && /^(?:ERR_[A-Z_]+|E[A-Z]{2,20})$/.test(value);
}
