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
/** `auth.providers.passkeys`. */
export interface PasskeysSection {
  enabled: boolean;
}
/** `auth.providers`: only configured ones are offered. Any other slug is an OpenID provider. */
export interface ProvidersSection {
  github?: GithubProviderSection | undefined;
  google?: OAuthProviderSection | undefined;
  discord?: OAuthProviderSection | undefined;
  magicLink?: MagicLinkSection | undefined;
  passkeys?: PasskeysSection | undefined;
  [slug: string]:
    OAuthProviderSection | OidcProviderSection | MagicLinkSection | PasskeysSection | undefined;
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

/** Who logged in by a provider, a magic link or a passkey. */
export interface LoginEvent {
  readonly user: PublicUser;
  /** A provider's slug, `magic` or `passkey`. */
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
   * Identifies the visitor: sets `req.ctx.state.siteUser`, `req.ctx.state.viewer` and the request header `x-site-user`, never that of clients. For hosts with their own server; a serving site has it mounted.
   */
  readonly identity: readonly Handler[];
  /** True for the target of a request to the pages of logins, with or without the path of `site.url`. */
  ownsTarget(target: string): boolean;
}

/**
 * What a plugin stores about accounts of visitors: for their export, and for their deletion.
 *
 * @example
 * const wishes = new Map<string, string[]>();
 * site.extensions.add("personalData", {
 *   fate: { deleted: "your wish list" },
 *   export: async ({ id }) => wishes.get(id) ?? null,
 *   erase: async ({ id }) => void wishes.delete(id),
 * });
 */
export interface PersonalData {
  /** What becomes of it when the account is deleted, for the page that asks: noun phrases. */
  readonly fate: {
    readonly deleted?: string;
    /** With the reason: `purchases, because accounts have to be kept`. */
    readonly kept?: string;
  };
  /** What is stored about the account, as JSON; null: nothing. */
  export(user: PublicUser): Promise<unknown>;
  /** Deletes what `fate` says; called before the account is deleted, again after a failure. */
  erase(user: PublicUser): Promise<void>;
}

/** An OpenID provider, and the registration of the site there. */
export interface OpenIdOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The full address that the provider redirects to. */
  redirectUri: string;
  /** `openid` is always requested. */
  scopes: readonly string[];
  /** A claim that is fetched from the provider when the ID token lacks it. */
  claim?: string | undefined;
}
/** Binds the end of a login to its start; keep it where only the browser that started it has it. */
export interface OpenIdChecks {
  readonly state: string;
  /** PKCE. */
  readonly verifier: string;
  readonly nonce: string;
}
/** A person as an OpenID provider vouches for them. */
export interface OpenIdProfile {
  /** The provider's own id. */
  readonly id: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
}
/** Logs people in at one OpenID provider: code flow with PKCE, state and nonce. */
export interface OpenIdClient {
  /** The address to redirect to. @throws ERR_AUTH_PROVIDER (502). */
  start(checks: OpenIdChecks): Promise<URL>;
  /**
   * The person who returned to `callback`, the full address with its query.
   * @throws ERR_AUTH_STATE (400) for a wrong code or state, ERR_AUTH_PROVIDER (502).
   */
  finish(callback: URL, checks: OpenIdChecks): Promise<OpenIdProfile>;
}
/**
 * Logins at OpenID providers for other plugins; provided without an `auth` block too.
 *
 * @example
 * const client = site.use("openid").client({
 *   issuer: "https://login.example.org",
 *   clientId: "shop",
 *   clientSecret: "…",
 *   redirectUri: "https://example.org/shop/callback",
 *   scopes: ["openid", "email"],
 * });
 * const address = await client.start({ state: "…", verifier: "…", nonce: "…" });
 */
export interface OpenIdService {
  client(options: OpenIdOptions): OpenIdClient;
}

declare module "#kernel" {
  interface Extensions {
    /**
     * What the plugin stores about accounts of visitors; exports and deletions use that of all plugins.
     *
     * @example
     * import type { PersonalData } from "sitewright/plugins";
     * declare const wishes: PersonalData;
     * site.extensions.add("personalData", wishes);
     */
    personalData: PersonalData;
  }
  interface Services {
    auth: AuthService;
    openid: OpenIdService;
  }
  interface RequestState {
    /** The logged-in visitor; null for an anonymous one; absent without an `auth` block. */
    siteUser?: SiteUser | null;
  }
  interface HookMap {
    /**
     * After a visitor has logged in, by a provider, a magic link or a passkey.
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
