import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoginChecks, LoginProvider } from "../../../../plugins/auth/providers/provider.js";
import { createProviders } from "../../../../plugins/auth/providers/providers.js";
import { OutboundClient } from "../../../../plugins/outbound/client.js";
import { Browser } from "../../../support/browsers/browser.js";
import {
  ANN,
  startOpenIdProvider,
  type OpenIdProvider,
} from "../../../support/servers/openid-provider.js";

const SITE = "http://site.example:8000";
const CALLBACK = `${SITE}/auth/work/callback`;
const CHECKS: LoginChecks = {
  state: "a-state-of-some-length",
  verifier: "v".repeat(43),
  nonce: "a-nonce-of-some-length",
};

describe("an OpenID provider", () => {
  let idp: OpenIdProvider;
  beforeEach(async () => {
    idp = await startOpenIdProvider(CALLBACK);
  });
  afterEach(() => idp.close());

  function open(section: Record<string, unknown> = {}): LoginProvider {
    const client = { clientId: "site", clientSecret: "a secret of the provider" };
    const work = { type: "oidc", issuer: idp.issuer, ...client, ...section } as const;
    const outbound = new OutboundClient({ denyPrivate: true });
    const [provider] = createProviders({ work }, SITE, outbound);
    assert.ok(provider);
    return provider;
  }
  async function returned(provider: LoginProvider): Promise<URL> {
    return (await new Browser().follow(await provider.start(CHECKS), CALLBACK)).url;
  }

  it("is discovered, called with a nonce, and returns the profile of the ID token", async () => {
    const provider = open();
    const start = await provider.start(CHECKS);
    assert.equal(start.searchParams.get("nonce"), CHECKS.nonce);
    assert.equal(start.searchParams.get("scope"), "openid email profile");
    const profile = await provider.finish(await returned(provider), CHECKS);
    assert.deepEqual([profile.id, profile.email], [ANN.sub, ANN.email]);
  });

  for (const [what, change] of [
    ["nonce", { nonce: "another-nonce-altogether" }],
    ["state", { state: "another-state-altogether" }],
    ["verifier", { verifier: "w".repeat(43) }],
  ] as const) {
    it(`returns nothing for another ${what}`, async () => {
      const provider = open();
      const back = await returned(provider);
      await assert.rejects(provider.finish(back, { ...CHECKS, ...change }), {
        name: "ProviderError",
      });
    });
  }

  it("is blamed for a wrong client secret, without the secret in the message", async () => {
    const provider = open({ clientSecret: "a wrong canary" });
    const back = await returned(provider);
    await assert.rejects(provider.finish(back, CHECKS), (error) => {
      assert.ok(error instanceof Error && "fault" in error && error.fault === "provider");
      assert.doesNotMatch(error.message, /canary/);
      return true;
    });
  });

  it("cannot point to an internal host that is not configured", async () => {
    const asked: string[] = [];
    const internal = await listen((req, res) => {
      asked.push(req.url ?? "");
      res.end("{}");
    });
    const issuer = await listen((_req, res) => {
      const document = {
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${internal.url}/token`,
        jwks_uri: `${internal.url}/keys`,
        response_types_supported: ["code"],
      };
      res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    });
    try {
      const back = new URL(`${CALLBACK}?code=x&state=${CHECKS.state}`);
      const finish = (section: Record<string, unknown>): Promise<unknown> =>
        open({ issuer: issuer.url, ...section }).finish(back, CHECKS);
      await assert.rejects(finish({}), { name: "ProviderError", fault: "provider" });
      assert.deepEqual(asked, []);
      await assert.rejects(finish({ tokenUrl: `${internal.url}/named` }), {
        name: "ProviderError",
      });
      assert.deepEqual(asked, ["/named"]);
    } finally {
      await Promise.all([issuer.close(), internal.close()]);
    }
  });
});

async function listen(answer: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
