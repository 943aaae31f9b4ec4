/** Error codes of visitor login: meaning and fix. */
export const authErrors = {
  ERR_AUTH_STATE: "The login was not started in this browser, or expired: start it again.",
  ERR_AUTH_CODE: "The provider does not accept the code of a login: start it again.",
  ERR_AUTH_PROVIDER:
    "A provider's response is invalid: the log names the provider and the response.",
  ERR_AUTH_UNVERIFIED:
    "The provider has no verified e-mail address for the visitor: verify it there, then log in again.",
  ERR_AUTH_EMAIL_TAKEN:
    "The e-mail address belongs to an account with another login method: log in that way, then link.",
  ERR_AUTH_DISABLED: "The account is disabled: ask the site's owner.",
  ERR_AUTH_LINK_STORE:
    "Identities cannot be linked under `auth.userStore: session`: choose `local` or `db`.",
  ERR_AUTH_ORIGIN:
    "A request that changes an account came from another site, or from an old page: send it from here. Behind a proxy, `url` in `site.yaml` must be the address that browsers use.",
  ERR_AUTH_REQUIRED: "The request is not authenticated: log in first.",
  ERR_AUTH_FRESH:
    "An account is deleted, and a passkey added, only shortly after a login: log in again.",
  ERR_AUTH_PASSKEY:
    "The passkey of a login is unknown here, or its signature is wrong: log in another way, then add it again.",
  ERR_AUTH_PERSONAL_DATA:
    "A plugin could not export or delete what it stores about an account, which therefore stays: the log names the plugin (`extension.failed`). Correct it, then try again.",
  ERR_AUTH_ADMIN: "An administrator's account is not deleted on its own page: use the panel.",
  ERR_AUTH_JWT: "`auth.mode: external-jwt` needs `auth.jwt.secret` or `auth.jwt.jwksUrl`.",
  ERR_AUTH_SIGNATURE:
    "The signature or timestamp of a webhook report is invalid: check the webhook's secret.",
} as const;
