import { HttpError } from "#kernel";

/** Error codes of the admin API: meaning and fix. */
export const adminErrors = {
  ERR_ADMIN_SIGNED_OUT: "The request has neither a session nor a token: sign in, or send a token.",
  ERR_ADMIN_FORBIDDEN: "The account lacks the permission named in the message: ask an admin.",
  ERR_ADMIN_ORIGIN:
    "A request with a session cookie comes from another site, or has no header `Origin`: send it from the panel, or use an API token instead of the cookie. Behind a proxy, `url` in `site.yaml` must be the address that browsers use.",
  ERR_ADMIN_CSRF:
    "The CSRF token is missing or wrong: use the one of `GET {admin.path}/api/session`.",
  ERR_ADMIN_LOGIN:
    "The name or password is wrong: correct it, or ask an admin to reset the password.",
  ERR_ADMIN_LOCKED: "Too many failed logins: wait as long as `Retry-After` says.",
  ERR_ADMIN_NO_MAIL:
    "The site has no mailer, so links for new passwords and addresses cannot be sent: add an `email` block, or use `site users:set-password`, or let an account with `users.manage` change the address.",
  ERR_ADMIN_PASSKEY:
    "The site can have no passkeys (409): set `site.url` to an https address with a host name; `localhost` counts.",
  ERR_ADMIN_OIDC:
    "`oidc` of admin.yaml cannot work: the message names what is missing (the plugin `auth`, the variable with the secret, or a role).",
  ERR_ADMIN_OIDC_ACCOUNT:
    "The provider knows the person, but the panel has no account for them: the message says why.",
  ERR_ADMIN_TOKEN: "The options of an API token are invalid: the message says why.",
  ERR_ADMIN_TOKENS_DOWN:
    "API tokens cannot be read (503): check the folder `tokens` in `admin.runtimeDir`, or the database of `records.store`. Each request tries again.",
  ERR_ADMIN_LAST: "The last admin cannot be removed: give the role to another account first.",
  ERR_ADMIN_ROUTE: "A plugin adds an admin route that already exists: choose another path.",
  ERR_ADMIN_TRANSITION: "The page's status cannot change this way: use one of the allowed ones.",
  ERR_ADMIN_SCHEDULE: "The page cannot be scheduled: the message says why.",
  ERR_ADMIN_CONFLICT: "The resource has changed since it was read: merge and save again.",
  ERR_ADMIN_DRAFTS_FULL: "Too many working copies exist: publish or discard some.",
  ERR_ADMIN_PREVIEW: "The page cannot be previewed: the message says why.",
} as const;

/** An error code of the admin API. */
export type AdminErrorCode = keyof typeof adminErrors;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** 401: not signed in. */
export function signedOut(): HttpError {
  const headers = { "WWW-Authenticate": 'Bearer realm="admin"' };
  return refusal(401, "ERR_ADMIN_SIGNED_OUT", "sign in first", headers);
}

/** 403: a session cookie, and no proof that a page of this site sent it. `sender`: see `SecurityService`. */
export function foreign(headers: Headers, sender: string): HttpError {
  const isSent = Boolean(headers.origin) || Boolean(headers["sec-fetch-site"]);
  return refusal(
    403,
    "ERR_ADMIN_ORIGIN",
    isSent
      ? `the request comes from another site: ${sender}`
      : `a request with a session cookie needs the header Origin, and ${sender}: browsers send it, programs send an API token instead of the cookie (Authorization: Bearer …)`,
  );
}

/** 403: a session cookie without a valid CSRF token. */
export function wrongCsrf(token: unknown): HttpError {
  return refusal(
    403,
    "ERR_ADMIN_CSRF",
    `the header x-csrf-token, or the field _csrf of a form, is ${token === undefined || token === "" ? "missing" : "not that of this session"}: send the csrfToken of the session, or an API token instead of the cookie (Authorization: Bearer …)`,
  );
}

/** An error with a code of this plugin. */
export function refusal(
  status: number,
  code: AdminErrorCode,
  message: string,
  headers: Record<string, string> = {},
): HttpError {
  return new HttpError(status, message, { code, headers });
}
