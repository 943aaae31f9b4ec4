import assert from "node:assert/strict";
import type { LoginChecks, LoginProvider } from "../../../../plugins/auth/providers/provider.js";
import { createProviders } from "../../../../plugins/auth/providers/providers.js";
import { OutboundClient } from "../../../../plugins/outbound/client.js";
import {
  startOAuthStandIns,
  type OAuthStandIns,
} from "../../../support/servers/oauth-stand-ins.js";

const SITE = "https://site.example";
const CHECKS: LoginChecks = { state: "a-state", verifier: "v".repeat(43), nonce: "a-nonce" };

describe("a plain OAuth 2 provider", () => {
  let idp: OAuthStandIns;
  let github: LoginProvider;
  beforeEach(async () => {
    idp = await startOAuthStandIns();
    const [provider] = createProviders(
      { github: idp.providers()["github"] as { clientId: string; clientSecret: string } },
      SITE,
      new OutboundClient({ denyPrivate: true }),
    );
    assert.ok(provider);
    github = provider;
  });
  afterEach(() => idp.close());

  /** Follows the login up to the redirect from the provider. */
  async function returned(): Promise<URL> {
    const start = await github.start(CHECKS);
    const res = await fetch(start, { redirect: "manual" });
    return new URL(res.headers.get("location") ?? "");
  }

  it("receives state, PKCE and the site's own URL, and returns the profile", async () => {
    const start = await github.start(CHECKS);
    const asked = Object.fromEntries(start.searchParams);
    assert.equal(asked["state"], CHECKS.state);
    assert.equal(asked["code_challenge_method"], "S256");
    assert.equal(asked["redirect_uri"], `${SITE}/auth/github/callback`);
    assert.equal(asked["nonce"], undefined);
    assert.deepEqual(await github.finish(await returned(), CHECKS), {
      id: "583231",
      email: "ann@example.org",
      name: "Ann",
      avatarUrl: "https://pictures.example/ann.png",
    });
  });

  it("may be an internal host, since the configuration names it", async () => {
    await github.finish(await returned(), CHECKS);
    assert.ok(idp.calls.includes("/github/token"));
  });

  for (const [what, change] of [
    ["another state", { state: "another" }],
    ["another verifier", { verifier: "w".repeat(43) }],
  ] as const) {
    it(`returns nothing for ${what}`, async () => {
      const back = await returned();
      await assert.rejects(github.finish(back, { ...CHECKS, ...change }), {
        name: "ProviderError",
      });
      assert.ok(!idp.calls.includes("/github/user"));
    });
  }

  it("returns nothing for a used code", async () => {
    const back = await returned();
    await github.finish(back, CHECKS);
    await assert.rejects(github.finish(back, CHECKS), { name: "ProviderError", fault: "code" });
  });

  it("rejects a callback that names another issuer, without a request", async () => {
    const back = await returned();
    back.searchParams.set("iss", "https://evil.example");
    const before = idp.calls.length;
    await assert.rejects(github.finish(back, CHECKS), { name: "ProviderError", fault: "code" });
    assert.equal(idp.calls.length, before);
  });

  for (const mood of ["html", "status500", "redirect", "endless", "no-id"] as const) {
    it(`blames the provider for "${mood}", without its text in the message`, async () => {
      const back = await returned();
      idp.mood = mood;
      await assert.rejects(github.finish(back, CHECKS), (error) => {
        assert.ok(error instanceof Error && "fault" in error && error.fault === "provider");
        assert.doesNotMatch(error.message, /provider text|very-secret|token-of-ann/);
        return true;
      });
    });
  }
});
