import { isLoopbackUrl } from "#lib/urls";
import type { ProfileUrls, ReadProfile, Profile } from "../providers/provider.js";
import { getJson, libraryFetch, plainToken } from "../providers/provider-calls.js";
import {
  CodeFlow,
  type ClientOptions,
  type Configuration,
  type Grant,
  type OpenId,
} from "./code-flow.js";

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
