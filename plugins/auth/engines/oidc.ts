import type { ServerMetadata } from "openid-client";
import { isLoopbackUrl } from "#lib/urls";
import {
  readClaims,
  ProviderError,
  type LoginChecks,
  type Profile,
} from "../providers/provider.js";
import { libraryFetch } from "../providers/provider-calls.js";
import {
  CodeFlow,
  type ClientOptions,
  type Configuration,
  type Grant,
  type OpenId,
} from "./oauth.js";

/** An OpenID provider; URLs given here override discovered ones. */
export interface OidcOptions extends ClientOptions {
  readonly issuer: string;
  readonly authorizationUrl?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly userInfoUrl?: string | undefined;
  /** Fetched from the provider when the ID token lacks it; `email` always is. */
  readonly claim?: string | undefined;
}

/** Tolerated clock skew, in seconds. */
const TOLERANCE = 60;
/** Any OpenID provider: discovered on the first login, its ID tokens verified with its keys. */
export class OidcProvider extends CodeFlow {
  readonly #options: OidcOptions;
  #discovered: Promise<Configuration> | null = null;

  constructor(options: OidcOptions) {
    super(options);
    this.#options = options;
  }

  protected configuration(openid: OpenId): Promise<Configuration> {
    this.#discovered ??= this.#discover(openid);
    // After a failed discovery, the next login tries again.
    this.#discovered.catch(() => {
      this.#discovered = null;
    });
    return this.#discovered;
  }

  protected parameters({ nonce }: LoginChecks): Record<string, string> {
    return { nonce };
  }

  protected nonce({ nonce }: LoginChecks): string {
    return nonce;
  }

  protected async profile({ openid, configuration, tokens }: Grant): Promise<Profile> {
    const claims = tokens.claims();
    if (claims === undefined) throw new ProviderError("provider", "the ID token is missing");
    const hasAddress = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const { claim = "email" } = this.#options;
    const isWhole = claims["email"] !== undefined && claims[claim] !== undefined;
    if (isWhole || !hasAddress) return { ...readClaims(claims), claims };
    const more = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    const all = { ...claims, ...more };
    return { ...readClaims(all), claims: all };
  }

  async #discover(openid: OpenId): Promise<Configuration> {
    const { issuer, clientId, clientSecret, calls } = this.#options;
    const fetch = libraryFetch(calls);
    const discovered = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [openid.customFetch]: fetch,
      execute: isLoopbackUrl(issuer) ? [openid.allowInsecureRequests] : [],
    });
    const server = { ...discovered.serverMetadata(), ...this.#overrides() };
    const takes = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const configuration = new openid.Configuration(
      server,
      clientId,
      { client_secret: clientSecret, [openid.clockTolerance]: TOLERANCE },
      takes.includes("client_secret_basic")
        ? openid.ClientSecretBasic(clientSecret)
        : openid.ClientSecretPost(clientSecret),
    );
    configuration[openid.customFetch] = fetch;
    if (isLoopbackUrl(issuer)) openid.allowInsecureRequests(configuration);
    openid.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  #overrides(): Partial<ServerMetadata> {
    const { authorizationUrl, tokenUrl, userInfoUrl } = this.#options;
    return {
      ...(authorizationUrl === undefined ? {} : { authorization_endpoint: authorizationUrl }),
      ...(tokenUrl === undefined ? {} : { token_endpoint: tokenUrl }),
      ...(userInfoUrl === undefined ? {} : { userinfo_endpoint: userInfoUrl }),
    };
  }
}
