/** What the guard answers to whoever may not. */
import { HttpError } from "#kernel";
import type { AdminErrorCode } from "./errors.js";

/** 401: nobody has signed in. */
export function signedOut(): HttpError {
  const headers = { "WWW-Authenticate": 'Bearer realm="admin"' };
  return refusal(401, "ERR_ADMIN_SIGNED_OUT", { message: "sign in first", headers });
}

/** 403: a cookie came along, and not the token of the page. */
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
