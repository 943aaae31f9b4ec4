/** What others may know of logging visitors in: its settings. */

/** A provider reached by OAuth 2; the addresses are for instances of one's own. */
export interface OAuthProviderSection {
  clientId: string;
  clientSecret: string;
  authorizationUrl?: string | undefined;
  tokenUrl?: string | undefined;
  userInfoUrl?: string | undefined;
  scopes?: string[] | undefined;
}
/** `auth.providers.github`. */
export interface GithubProviderSection extends OAuthProviderSection {
  emailsUrl?: string | undefined;
}
/** A generic OpenID Connect provider under its own slug. */
export interface OidcProviderSection extends OAuthProviderSection {
  type: "oidc";
  issuer: string;
  name?: string | undefined;
}
/** `auth.providers.magicLink`. */
export interface MagicLinkSection {
  enabled: boolean;
  confirm: boolean;
}
/** `auth.providers`: absent ones are not offered. Every slug beside the named ones is an OpenID provider. */
export interface ProvidersSection {
  github?: GithubProviderSection | undefined;
  google?: OAuthProviderSection | undefined;
  discord?: OAuthProviderSection | undefined;
  magicLink?: MagicLinkSection | undefined;
  [slug: string]: OAuthProviderSection | OidcProviderSection | MagicLinkSection | undefined;
}
/** `auth.jwt`; in mode `external-jwt` exactly one of `secret` and `jwksUrl` is there. */
export interface JwtSection {
  secret?: string | undefined;
  jwksUrl?: string | undefined;
  issuer?: string | undefined;
  audience?: string | string[] | undefined;
  requireExp: boolean;
  userIdClaim: string;
  emailClaim: string;
  rolesClaim: string;
}
/** `auth.webhook`; `generic` always has its `signatureHeader`. */
export interface AuthWebhookSection {
  provider: "clerk" | "auth0" | "generic";
  secret: string;
  signatureHeader?: string | undefined;
}
/** Section `auth` of site.yaml. */
export interface AuthSection {
  mode: "dune" | "external-jwt";
  /** Seconds. */
  sessionLifetime: number;
  providers: ProvidersSection;
  userStore: "local" | "session" | "db";
  /** Always `local` in mode `dune`. */
  authzStore?: "local" | undefined;
  jwt?: JwtSection | undefined;
  webhook?: AuthWebhookSection | undefined;
  loginPath?: string | undefined;
}

declare module "#kernel" {
  interface SiteSettings {
    /** Undefined: the site has no visitor accounts. */
    auth: AuthSection | undefined;
  }
}
