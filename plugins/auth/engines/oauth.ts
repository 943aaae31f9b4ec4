import { isLoopbackUrl } from "#lib/urls";
import type * as client from "openid-client";
import {
  getJson,
  libraryFetch,
  plainToken,
  type ProviderCalls,
} from "../providers/provider-calls.js";
import {
  ProviderError,
  type LoginChecks,
  type LoginProvider,
  type Profile,
  type ProfileUrls,
  type ReadProfile,
} from "../providers/provider.js";

/** The library, loaded on the first login. */
export type OpenId = typeof client;
export type Configuration = client.Configuration;

/** Options that every provider needs. */
export interface ClientOptions {
  readonly slug: string;
  readonly label: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** `{site.url}/auth/{slug}/callback`. */
  readonly redirectUri: string;
  readonly calls: ProviderCalls;
}
/** The result of exchanging a code. */
export interface Grant {
  readonly openid: OpenId;
  readonly configuration: client.Configuration;
  readonly tokens: Awaited<ReturnType<OpenId["authorizationCodeGrant"]>>;
}

/** Error codes of the token endpoint that blame the visitor's code, not our configuration. */
const WRONG_CODE: readonly string[] = ["invalid_grant", "bad_verification_code"];

/** The authorization-code flow with PKCE, shared by both kinds of provider. */
export abstract class CodeFlow implements LoginProvider {
  readonly slug: string;
  readonly label: string;
  protected readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
    this.slug = options.slug;
    this.label = options.label;
  }

  protected abstract configuration(openid: OpenId): Promise<Configuration>;
  protected abstract parameters(checks: LoginChecks): Record<string, string>;
  protected abstract profile(grant: Grant): Promise<Profile>;
  /** The expected nonce of an ID token; undefined if none is used. */
  protected abstract nonce(checks: LoginChecks): string | undefined;

  start(checks: LoginChecks): Promise<URL> {
    return this.#guarded(async (openid) => {
      const configuration = await this.configuration(openid);
      return openid.buildAuthorizationUrl(configuration, {
        redirect_uri: this.options.redirectUri,
        response_type: "code",
        scope: this.options.scopes.join(" "),
        state: checks.state,
        code_challenge: await openid.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: "S256",
        ...this.parameters(checks),
      });
    });
  }

  finish(callback: URL, checks: LoginChecks): Promise<Profile> {
    return this.#guarded(async (openid) => {
      const configuration = await this.configuration(openid);
      assertIssuer(callback, configuration);
      const nonce = this.nonce(checks);
      const tokens = await openid.authorizationCodeGrant(configuration, callback, {
        expectedState: checks.state,
        pkceCodeVerifier: checks.verifier,
        ...(nonce === undefined ? {} : { expectedNonce: nonce, idTokenExpected: true }),
      });
      return this.profile({ openid, configuration, tokens });
    });
  }

  /** Turns errors of the library into one of the two provider faults. */
  async #guarded<T>(work: (openid: OpenId) => Promise<T>): Promise<T> {
    const openid = await import("openid-client");
    try {
      return await work(openid);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const isCode = error instanceof openid.ResponseBodyError && WRONG_CODE.includes(error.error);
      throw new ProviderError(isCode ? "code" : "provider", describe(error), error);
    }
  }
}

/** RFC 9207: rejects a callback with another issuer (mix-up attack). */
function assertIssuer(callback: URL, configuration: Configuration): void {
  const named = callback.searchParams.get("iss");
  if (named !== null && named !== configuration.serverMetadata().issuer) {
    throw new ProviderError("code", "the response names another issuer");
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${code}${error.message}${cause}`.slice(0, 300);
}

/** A plain OAuth 2 provider, described by its URLs. */
export interface OAuthOptions extends ClientOptions {
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly profile: ProfileUrls;
  readonly readProfile: ReadProfile;
  /** Additional parameters of the authorization URL. */
  readonly parameters?: Readonly<Record<string, string>>;
}
/** GitHub, Google, Discord and similar providers. */
export class OAuthProvider extends CodeFlow {
  readonly #options: OAuthOptions;

  constructor(options: OAuthOptions) {
    super(options);
    this.#options = options;
  }

  protected async configuration(openid: OpenId): Promise<Configuration> {
    const { issuer, authorizationUrl, tokenUrl, clientId, clientSecret } = this.#options;
    const configuration = new openid.Configuration(
      { issuer, authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl },
      clientId,
      clientSecret,
      openid.ClientSecretPost(clientSecret),
    );
    if (isLoopbackUrl(tokenUrl)) openid.allowInsecureRequests(configuration);
    const fetch = libraryFetch(this.#options.calls);
    configuration[openid.customFetch] = async (url, request) =>
      url === tokenUrl ? plainToken(await fetch(url, request)) : fetch(url, request);
    return configuration;
  }

  protected parameters(): Record<string, string> {
    return { ...this.#options.parameters };
  }

  protected nonce(): undefined {
    return undefined;
  }

  protected profile({ tokens }: Grant): Promise<Profile> {
    const { calls, readProfile, profile } = this.#options;
    const get = (url: string): Promise<unknown> => getJson(calls, url, tokens.access_token);
    return readProfile(get, profile);
  }
}
