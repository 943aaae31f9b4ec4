/** The code of an error: `ENOENT` of Node, our `ERR_…`; empty for any other value. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
