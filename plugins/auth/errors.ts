/** Error codes of logging in, with what they mean and what mends them. */
export const authErrors = {
  ERR_AUTH_STATE:
    "A login came back that this browser did not start, or started too long ago: start it again.",
  ERR_AUTH_CODE: "The provider does not accept the code of a login: start it again.",
  ERR_AUTH_PROVIDER:
    "A provider does not answer as it should: the log names it and says what came instead.",
  ERR_AUTH_UNVERIFIED:
    "A provider vouches for no verified e-mail address: verify it there, then log in again.",
  ERR_AUTH_EMAIL_TAKEN:
    "The e-mail address belongs to an account made another way: log in that way, then link.",
  ERR_AUTH_DISABLED: "The account is switched off: ask the site's owner.",
  ERR_AUTH_LINK_STORE:
    "Identities cannot be linked under `auth.userStore: session`: choose `local` or `db`.",
  ERR_AUTH_ORIGIN: "A request that changes an account came from another site: send it from here.",
  ERR_AUTH_REQUIRED: "Nobody is logged in: log in first.",
  ERR_AUTH_JWT: "`auth.mode: external-jwt` needs `auth.jwt.secret` or `auth.jwt.jwksUrl`.",
  ERR_AUTH_SIGNATURE: "The signature or the time of a report is wrong: check the webhook's secret.",
} as const;
