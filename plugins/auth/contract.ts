/** Visitor login as other plugins see it: the current user, the hooks, the settings. */
import type { Handler, NotifyHook } from "#kernel";
import type { PublicUser, User } from "../users/contract.js";

/** A provider reached by OAuth 2; the URLs are for self-hosted instances. */
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
/** `auth.providers`: only configured ones are offered. Any other slug is an OpenID provider. */
export interface ProvidersSection {
  github?: GithubProviderSection | undefined;
  google?: OAuthProviderSection | undefined;
  discord?: OAuthProviderSection | undefined;
  magicLink?: MagicLinkSection | undefined;
  [slug: string]: OAuthProviderSection | OidcProviderSection | MagicLinkSection | undefined;
}
/** `auth.jwt`; mode `external-jwt` requires exactly one of `secret` and `jwksUrl`. */
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
/** `auth.webhook`; `generic` always has a `signatureHeader`. */
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
  /** Always set in mode `dune`. */
  authzStore?: "local" | "db" | undefined;
  jwt?: JwtSection | undefined;
  webhook?: AuthWebhookSection | undefined;
  loginPath?: string | undefined;
}

/** The visitor of a request: the account without its password hash, with its current roles. */
export type SiteUser = Omit<User, "passwordHash">;

/** Who logged in by a provider or a magic link, or logged out. */
export interface LoginEvent {
  readonly user: PublicUser;
  /** A provider's slug, or `magic`. */
  readonly provider: string;
}

/**
 * Visitor login. Only provided when the site has an `auth` block.
 *
 * @example
 * import express from "express";
 * const app = express(); // a server of your own in front of the site
 * for (const handler of site.use("auth", { optional: true })?.identity ?? []) app.use(handler);
 */
export interface AuthService {
  /**
   * Identifies the visitor: sets `req.ctx.state.siteUser`, `req.ctx.state.viewer` and the request
   * header `x-site-user`, and removes copies of that header sent by clients. Mounted automatically
   * when the site serves; exposed for hosts with their own server.
   */
  readonly identity: readonly Handler[];
}

declare module "#kernel" {
  interface Services {
    auth: AuthService;
  }
  interface RequestState {
    /** The logged-in visitor; null for an anonymous one; absent without an `auth` block. */
    siteUser?: SiteUser | null;
  }
  interface HookMap {
    /**
     * After a visitor has logged in, by a provider or a magic link.
     *
     * @example
     * site.hooks.on("onLogin", ({ data, log }) => {
     *   log.info("welcome.login", { user: data.user.id, provider: data.provider });
     * });
     */
    onLogin: NotifyHook<LoginEvent>;
    /**
     * After a visitor has logged out.
     *
     * @example
     * site.hooks.on("onLogout", ({ data, log }) => log.info("welcome.logout", { user: data.user.id }));
     */
    onLogout: NotifyHook<{ user: PublicUser }>;
  }
  interface SiteSettings {
    /** Undefined: the site has no visitor accounts. */
    auth: AuthSection | undefined;
  }
}
