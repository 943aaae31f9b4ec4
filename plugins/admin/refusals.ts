/** Error responses of the guard. */
import { HttpError } from "#kernel";
import type { AdminErrorCode } from "./errors.js";

/** 401: not signed in. */
export function signedOut(): HttpError {
  const headers = { "WWW-Authenticate": 'Bearer realm="admin"' };
  return refusal(401, "ERR_ADMIN_SIGNED_OUT", { message: "sign in first", headers });
}

/** 403: a session cookie without a valid CSRF token. */
export function wrongCsrf(): HttpError {
  return refusal(403, "ERR_ADMIN_CSRF", { message: "the CSRF token is missing or wrong" });
}

/** An error with a code of this plugin. */
export function refusal(
  status: number,
  code: AdminErrorCode,
  { message, headers = {} }: { message: string; headers?: Record<string, string> },
): HttpError {
  return new HttpError(status, message, { code, headers });
}
