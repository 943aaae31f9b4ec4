/** Error codes of accounts: meaning and fix. */
export const userErrors = {
  ERR_USER_UNKNOWN: "No account has this id, e-mail address or username: see `users:list`.",
  ERR_USER_EMAIL_INVALID:
    "An e-mail address is not one plain ASCII address of at most 254 characters: write international domains in punycode.",
  ERR_USER_USERNAME_INVALID:
    "A username has other characters than letters, digits, `.`, `_` and `-`.",
  ERR_USER_ROLE_INVALID: "A role's name has other characters than letters, digits, `_` and `-`.",
  ERR_USER_EMAIL_TAKEN: "Another account has this e-mail address: log in to it and link instead.",
  ERR_USER_USERNAME_TAKEN: "Another account has this username: choose another one.",
  ERR_USER_IDENTITY_TAKEN: "Another account has this identity: unlink it there first.",
  ERR_USER_IDENTITY_SIGNUP: "The signup identity of an account cannot be unlinked.",
  ERR_USER_IDENTITY_UNKNOWN: "The account has no linked identity of this provider.",
  ERR_USER_IDENTITY_LAST:
    "The last linked identity cannot be unlinked while magic links are off: link another one first.",
  ERR_USER_PASSWORD_WEAK:
    "A password is too short, too long or too simple: use at least 12 characters.",
  ERR_USER_PASSWORD_BUSY: "Too many passwords are being checked at once: try again in a moment.",
  ERR_USER_PASSKEY:
    "The site or the account can have no (more) passkeys: the message says why; `site.url` needs a host name and https.",
  ERR_USER_PASSKEY_CHALLENGE:
    "The challenge of a passkey is missing, expired, used, or of another session: request options again.",
  ERR_USER_PASSKEY_INVALID:
    "The response of an authenticator cannot be verified: the message names the part; create the passkey again.",
  ERR_USER_STORE_DOWN:
    "The user store does not respond or cannot write: restore it; the site retries by itself.",
  ERR_USER_STORE_LOCKED: "Another process locks the user store for too long: end it.",
  ERR_USER_DB_UNSET:
    "`auth.userStore: db` needs SITE_DB_PATH (SQLite) or SITE_DB_URL (PostgreSQL).",
  ERR_USER_DB_OPEN:
    "The account database cannot be opened or migrated: the message names the cause.",
  ERR_AUTHZ_SECRET:
    "SITE_AUTHZ_HMAC_SECRET is shorter than 32 bytes: set it to `openssl rand -hex 32`.",
} as const;
