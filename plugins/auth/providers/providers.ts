import type {
  GithubProviderSection,
  OAuthProviderSection,
  OidcProviderSection,
  ProvidersSection,
} from "../contract.js";
import { OAuthProvider, type OAuthOptions } from "../engines/oauth.js";
import { OidcProvider } from "../engines/oidc.js";
import { readDiscord, readGithub, readGoogle, type LoginProvider } from "./provider.js";
import type { OutboundService } from "../../outbound/contract.js";
import { ProviderCalls } from "./provider-calls.js";

type Own = Pick<OAuthOptions, "slug" | "redirectUri" | "calls">;
type BuiltIn = Omit<OAuthOptions, keyof Own | "clientId" | "clientSecret">;

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  github: {
    label: "GitHub",
    issuer: "https://github.com",
    authorizationUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    profile: { user: "https://api.github.com/user", emails: "https://api.github.com/user/emails" },
    scopes: ["read:user", "user:email"],
    readProfile: readGithub,
  },
  google: {
    label: "Google",
    issuer: "https://accounts.google.com",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    profile: { user: "https://www.googleapis.com/oauth2/v2/userinfo", emails: "" },
    scopes: ["openid", "email", "profile"],
    readProfile: readGoogle,
    parameters: { access_type: "online" },
  },
  discord: {
    label: "Discord",
    issuer: "https://discord.com",
    authorizationUrl: "https://discord.com/api/oauth2/authorize",
    tokenUrl: "https://discord.com/api/oauth2/token",
    profile: { user: "https://discord.com/api/users/@me", emails: "" },
    scopes: ["identify", "email"],
    readProfile: readDiscord,
  },
};

/** Creates the configured providers, in configuration order. */
export function createProviders(
  section: ProvidersSection,
  siteUrl: string,
  outbound: Pick<OutboundService, "request">,
): LoginProvider[] {
  return Object.entries(section).flatMap(([slug, provider]) => {
    if (provider === undefined || !("clientId" in provider)) return [];
    const calls = new ProviderCalls(outbound, addressesOf(provider));
    const client = { slug, redirectUri: `${siteUrl}/auth/${slug}/callback`, calls };
    const builtIn = Object.hasOwn(BUILT_IN, slug) ? BUILT_IN[slug] : undefined;
    if (builtIn !== undefined) return [oauthProvider({ ...builtIn, ...client }, provider)];
    return "issuer" in provider ? [oidcProvider(client, provider)] : [];
  });
}

/** Every URL configured for a provider. */
function addressesOf(
  provider: OAuthProviderSection | GithubProviderSection | OidcProviderSection,
): (string | undefined)[] {
  const { authorizationUrl, tokenUrl, userInfoUrl } = provider;
  const emailsUrl = "emailsUrl" in provider ? provider.emailsUrl : undefined;
  const issuer = "issuer" in provider ? provider.issuer : undefined;
  return [authorizationUrl, tokenUrl, userInfoUrl, emailsUrl, issuer];
}

function oauthProvider(
  builtIn: BuiltIn & Own,
  section: OAuthProviderSection & Pick<GithubProviderSection, "emailsUrl">,
): LoginProvider {
  const { clientId, clientSecret, scopes, authorizationUrl, tokenUrl, userInfoUrl } = section;
  return new OAuthProvider({
    ...builtIn,
    clientId,
    clientSecret,
    scopes: scopes ?? builtIn.scopes,
    authorizationUrl: authorizationUrl ?? builtIn.authorizationUrl,
    tokenUrl: tokenUrl ?? builtIn.tokenUrl,
    profile: {
      user: userInfoUrl ?? builtIn.profile.user,
      emails: section.emailsUrl ?? besideUser(userInfoUrl) ?? builtIn.profile.emails,
    },
  });
}

/** A self-hosted GitHub serves the addresses beside the profile. */
function besideUser(userInfoUrl: string | undefined): string | undefined {
  return userInfoUrl === undefined ? undefined : `${userInfoUrl}/emails`;
}

function oidcProvider(client: Own, section: OidcProviderSection): LoginProvider {
  const { scopes = ["openid", "email", "profile"], name, ...rest } = section;
  const all = scopes.includes("openid") ? scopes : ["openid", ...scopes];
  return new OidcProvider({ ...rest, ...client, label: name ?? client.slug, scopes: all });
}
