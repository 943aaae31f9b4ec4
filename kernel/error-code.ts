/** The code of an error: `ENOENT` of Node, `ERR_…` of ours; empty for whatever else is thrown. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
