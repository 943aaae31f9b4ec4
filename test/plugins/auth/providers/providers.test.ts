import assert from "node:assert/strict";
import type { ProvidersSection } from "../../../../plugins/auth/contract.js";
import { OutboundClient } from "../../../../plugins/outbound/client.js";
import { createProviders } from "../../../../plugins/auth/providers/providers.js";

const SITE = "https://site.example";
const outbound = new OutboundClient({ denyPrivate: true });
const client = { clientId: "id", clientSecret: "canary" };
const checks = { state: "st", verifier: "v".repeat(43), nonce: "no" };
const start = async (section: ProvidersSection): Promise<URL> => {
  const [provider] = createProviders(section, SITE, outbound);
  assert.ok(provider);
  return provider.start(checks);
};

describe("the providers of a site", () => {
  it("are the configured ones, in configuration order", () => {
    const made = createProviders(
      {
        discord: client,
        magicLink: { enabled: true, confirm: false },
        acme: { ...client, type: "oidc", issuer: "https://ids.example", name: "Acme" },
        github: client,
        google: undefined,
      },
      SITE,
      outbound,
    );
    assert.deepEqual(
      made.map(({ slug, label }) => [slug, label]),
      [
        ["discord", "Discord"],
        ["acme", "Acme"],
        ["github", "GitHub"],
      ],
    );
    assert.deepEqual(createProviders({}, SITE, outbound), []);
  });

  it("ignore an unknown name without an issuer, including names of Object.prototype", () => {
    assert.deepEqual(
      createProviders({ acme: client, toString: client, constructor: client }, SITE, outbound),
      [],
    );
  });

  for (const [slug, address, scope] of [
    ["github", "https://github.com/login/oauth/authorize", "read:user user:email"],
    ["google", "https://accounts.google.com/o/oauth2/v2/auth", "openid email profile"],
    ["discord", "https://discord.com/api/oauth2/authorize", "identify email"],
  ] as const) {
    it(`${slug} receives state, PKCE and its own callback URL`, async () => {
      const url = await start({ [slug]: client });
      assert.equal(url.origin + url.pathname, address);
      const asked = Object.fromEntries(url.searchParams);
      assert.equal(asked["redirect_uri"], `${SITE}/auth/${slug}/callback`);
      assert.equal(asked["scope"], scope);
      assert.deepEqual(
        [asked["state"], asked["code_challenge_method"], asked["response_type"]],
        ["st", "S256", "code"],
      );
      assert.match(asked["code_challenge"] ?? "", /^[A-Za-z0-9_-]{43}$/);
    });

    it(`${slug} receives neither verifier nor secret in the URL`, async () => {
      const { href } = await start({ [slug]: client });
      assert.ok(!href.includes(checks.verifier) && !href.includes("canary"));
    });
  }

  it("use the URLs and scopes of a self-hosted instance", async () => {
    const authorizationUrl = "https://git.example/authorize";
    const url = await start({ github: { ...client, authorizationUrl, scopes: ["user"] } });
    assert.equal(url.origin + url.pathname, authorizationUrl);
    assert.equal(url.searchParams.get("scope"), "user");
  });
});
