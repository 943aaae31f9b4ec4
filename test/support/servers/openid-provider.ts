import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Configuration } from "oidc-provider";

/** A person the provider knows. */
export interface OpenIdPerson {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
  groups?: string[];
}
/** The default person. */
export const ANN: OpenIdPerson = {
  sub: "ann",
  email: "ann@example.org",
  email_verified: true,
  name: "Ann",
};
/** A real OpenID provider in this process. */
export interface OpenIdProvider {
  issuer: string;
  /** The person who logs in from now on. */
  person: OpenIdPerson;
  /** Responds with this status instead of the provider while set. */
  broken: number | null;
  close(): Promise<void>;
}

// Ignore the library's warnings about keys and stores for production.
for (const level of ["info", "warn"] as const) {
  const print = console[level];
  console[level] = (...words: unknown[]) => {
    if (!/oidc-provider (NOTICE|WARNING)/.test(String(words[0]))) print(...words);
  };
}

/** Starts `oidc-provider` with PKCE required; it logs `person` in without a prompt. */
export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const { Provider } = await import("oidc-provider");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle: OpenIdProvider = {
    issuer,
    person: { ...ANN },
    broken: null,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const provider = new Provider(issuer, configuration(handle, redirectUri));
  const callback = provider.callback();
  server.on("request", (req, res) => {
    if (handle.broken !== null) return void res.writeHead(handle.broken).end("<h1>broken</h1>");
    if (!req.url?.startsWith("/interaction/")) return void callback(req, res);
    provider
      .interactionFinished(req, res, { login: { accountId: handle.person.sub } })
      .catch(() => res.writeHead(500).end());
  });
  return handle;
}

function configuration(handle: OpenIdProvider, redirectUri: string): Configuration {
  return {
    clients: [
      {
        client_id: "site",
        client_secret: "a secret of the provider",
        redirect_uris: [redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    cookies: { keys: ["a key for cookies"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ ...handle.person }),
    }),
    async loadExistingGrant(ctx) {
      const { client, session, provider } = ctx.oidc;
      const grant = new provider.Grant({
        clientId: client?.clientId ?? "",
        accountId: session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}
