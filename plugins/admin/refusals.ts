/** Error responses of the guard. */
import { HttpError } from "#kernel";
import type { AdminErrorCode } from "./errors.js";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** 401: not signed in. */
export function signedOut(): HttpError {
  const headers = { "WWW-Authenticate": 'Bearer realm="admin"' };
  return refusal(401, "ERR_ADMIN_SIGNED_OUT", { message: "sign in first", headers });
}

/** 403: a session cookie, and no proof that a page of this site sent it. `sender`: see `SecurityService`. */
export function foreign(headers: Headers, sender: string): HttpError {
  const isSent = Boolean(headers.origin) || Boolean(headers["sec-fetch-site"]);
  return refusal(403, "ERR_ADMIN_ORIGIN", {
    message: isSent
      ? `the request comes from another site: ${sender}`
      : `a request with a session cookie needs the header Origin, and ${sender}: browsers send it, programs send an API token instead of the cookie (Authorization: Bearer …)`,
  });
}

/** 403: a session cookie without a valid CSRF token. */
export function wrongCsrf(given: unknown): HttpError {
  return refusal(403, "ERR_ADMIN_CSRF", {
    message: `the header x-csrf-token, or the field _csrf of a form, is ${given === undefined || given === "" ? "missing" : "not that of this session"}: send the csrfToken of the session, or an API token instead of the cookie (Authorization: Bearer …)`,
  });
}

/** An error with a code of this plugin. */
export function refusal(
  status: number,
  code: AdminErrorCode,
  { message, headers = {} }: { message: string; headers?: Record<string, string> },
): HttpError {
  return new HttpError(status, message, { code, headers });
}
