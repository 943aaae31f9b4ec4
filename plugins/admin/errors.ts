/** Codes of the admin API. */
export const adminErrors = {
  ERR_ADMIN_SIGNED_OUT: "The request has neither session nor token: sign in, or send a token.",
  ERR_ADMIN_FORBIDDEN: "The account lacks a permission that the message names: ask an admin.",
  ERR_ADMIN_ORIGIN:
    "A page of another site sent the request: send it from the panel, or use a token.",
  ERR_ADMIN_CSRF:
    "The CSRF token is missing or wrong: take the one of `GET {admin.path}/api/session`.",
  ERR_ADMIN_LOGIN: "Name or password is wrong: correct them, or have the password set anew.",
  ERR_ADMIN_LOCKED: "Too many failed logins: wait as long as `Retry-After` says.",
  ERR_ADMIN_TOKEN: "An API token cannot be made like this: the message names what is wrong.",
  ERR_ADMIN_TOKENS_DOWN:
    "API tokens cannot be read from the disk: check the folder `tokens` in `admin.runtimeDir`; they are read again with each request.",
  ERR_ADMIN_LAST: "The last admin cannot be removed: give the role to another account first.",
  ERR_ADMIN_ROUTE: "A plugin adds an admin route that is there already: choose another path.",
  ERR_ADMIN_TRANSITION: "The page's status cannot change this way: take one of the allowed ones.",
  ERR_ADMIN_SCHEDULE: "The page cannot be scheduled like this: the message says why.",
  ERR_ADMIN_CONFLICT: "The thing has changed since it was read: merge and save again.",
} as const;

/** A code of the admin API. */
export type AdminErrorCode = keyof typeof adminErrors;
