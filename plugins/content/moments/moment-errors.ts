import { HttpError } from "#kernel";

/** The error of a request for a moment that cannot be shown; the fix is part of what the client reads. */
export function momentError(status: 400 | 404 | 422, message: string, fix: string): HttpError {
  const code = status === 422 ? "ERR_CONTENT_MOMENT_SIZE" : "ERR_CONTENT_MOMENT";
  return new HttpError(status, `${message}; ${fix}`, { code, fix });
}
