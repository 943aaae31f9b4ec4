/** What others may know of logging visitors in: who asks, the hooks, the settings. */
import type { Handler, NotifyHook } from "#kernel";
import type { PublicUser, User } from "../users/contract.js";

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
  /** Always there in mode `dune`. */
  authzStore?: "local" | "db" | undefined;
  jwt?: JwtSection | undefined;
  webhook?: AuthWebhookSection | undefined;
  loginPath?: string | undefined;
}

/** The visitor of a request: the account without its password, with the roles that count now. */
export type SiteUser = Omit<User, "passwordHash">;

/** What a provider or a link has vouched for at a login, or a session's end. */
export interface LoginEvent {
  readonly user: PublicUser;
  /** A provider's slug, or `magic`. */
  readonly provider: string;
}

/** Logging visitors in. Only there when the site has an `auth` block. */
export interface AuthService {
  /**
   * Finds out who asks: sets `req.ctx.state.siteUser`, `req.ctx.state.viewer` and the request
   * header `x-site-user`, and takes copies of that header from outside away. Mounted by itself
   * where the site serves; for hosts with a server of their own (specification: rule 4).
   */
  readonly identity: readonly Handler[];
}

declare module "#kernel" {
  interface Services {
    auth: AuthService;
  }
  interface RequestState {
    /** The logged-in visitor; null for an anonymous one, absent without an `auth` block. */
    siteUser?: SiteUser | null;
  }
  interface HookMap {
    onLogin: NotifyHook<LoginEvent>;
    onLogout: NotifyHook<{ user: PublicUser }>;
  }
  interface SiteSettings {
    /** Undefined: the site has no visitor accounts. */
    auth: AuthSection | undefined;
  }
}
