import { HttpError } from "#kernel";

/** Error codes of shared state in PostgreSQL: what each means, and the fix. */
export const postgresErrors = {
  ERR_POSTGRES_DOWN:
    "PostgreSQL does not respond, so nothing that needs it works (503): restore it; the site retries every second.",
  ERR_POSTGRES_NODE:
    "`jobs.engine: postgres` needs a newer version of Node.js: install the one of the fix, or set `jobs.engine: files`.",
} as const;

/** The 503 of a request that needs the database while it is down. */
export function postgresDown(cause?: unknown): HttpError {
  return new HttpError(503, "the database does not respond at the moment", {
    code: "ERR_POSTGRES_DOWN",
    headers: { "Retry-After": "5" },
    fix: "restore PostgreSQL; the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}
