import type {
  GithubProviderSection,
  OAuthProviderSection,
  OidcProviderSection,
  ProvidersSection,
} from "./contract.js";
import { OAuthProvider, type OAuthOptions } from "./engines/oauth.js";
import { OidcProvider } from "./engines/oidc.js";
import { readDiscord, readGithub, readGoogle } from "./profiles.js";
import type { OutboundService } from "../outbound/contract.js";
import { ProviderCalls } from "./outbound.js";
import type { LoginProvider } from "./provider.js";

type Own = Pick<OAuthOptions, "slug" | "redirectUri" | "calls">;
type Known = Omit<OAuthOptions, keyof Own | "clientId" | "clientSecret">;
/** What providers are made with. */
export interface ProviderParts {
  readonly siteUrl: string;
  readonly outbound: Pick<OutboundService, "request">;
}

const KNOWN: Readonly<Record<string, Known>> = {
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

/** The configured providers, in the order of the configuration. */
export function createProviders(
  section: ProvidersSection,
  { siteUrl, outbound }: ProviderParts,
): LoginProvider[] {
  return Object.entries(section).flatMap(([slug, provider]) => {
    if (provider === undefined || !("clientId" in provider)) return [];
    const calls = new ProviderCalls(outbound, addressesOf(provider));
    const own = { slug, redirectUri: `${siteUrl}/auth/${slug}/callback`, calls };
    const known = Object.hasOwn(KNOWN, slug) ? KNOWN[slug] : undefined;
    if (known !== undefined) return [oauthProvider({ ...known, ...own }, provider)];
    return "issuer" in provider ? [oidcProvider(own, provider)] : [];
  });
}

/** Every address that the configuration gives a provider. */
function addressesOf(
  provider: OAuthProviderSection | GithubProviderSection | OidcProviderSection,
): (string | undefined)[] {
  const { authorizationUrl, tokenUrl, userInfoUrl } = provider;
  const emailsUrl = "emailsUrl" in provider ? provider.emailsUrl : undefined;
  const issuer = "issuer" in provider ? provider.issuer : undefined;
  return [authorizationUrl, tokenUrl, userInfoUrl, emailsUrl, issuer];
}

function oauthProvider(
  known: Known & Own,
  section: OAuthProviderSection & Pick<GithubProviderSection, "emailsUrl">,
): LoginProvider {
  const { clientId, clientSecret, scopes, authorizationUrl, tokenUrl, userInfoUrl } = section;
  return new OAuthProvider({
    ...known,
    clientId,
    clientSecret,
    scopes: scopes ?? known.scopes,
    authorizationUrl: authorizationUrl ?? known.authorizationUrl,
    tokenUrl: tokenUrl ?? known.tokenUrl,
    profile: {
      user: userInfoUrl ?? known.profile.user,
      emails: section.emailsUrl ?? besideUser(userInfoUrl) ?? known.profile.emails,
    },
  });
}

/** An instance of GitHub of one's own has the addresses beside the profile. */
function besideUser(userInfoUrl: string | undefined): string | undefined {
  return userInfoUrl === undefined ? undefined : `${userInfoUrl}/emails`;
}

function oidcProvider(
  own: Own,
  section: OAuthProviderSection & { issuer: string; name?: string | undefined },
): LoginProvider {
  const { scopes = ["openid", "email", "profile"], name, ...rest } = section;
  const all = scopes.includes("openid") ? scopes : ["openid", ...scopes];
  return new OidcProvider({ ...rest, ...own, label: name ?? own.slug, scopes: all });
}
