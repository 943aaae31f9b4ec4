import assert from "node:assert/strict";
import { providers } from "../../../../plugins/auth/settings.js";

const client = { clientId: "a", clientSecret: "b" };

describe("auth.providers", () => {
  it("accept GitHub, Google, Discord and magic links", () => {
    assert.ok(
      providers.safeParse({
        github: client,
        google: client,
        discord: client,
        magicLink: { enabled: true },
      }).success,
    );
  });

  it("accept any other slug as an OpenID provider", () => {
    assert.ok(
      providers.safeParse({ "my-idp": { type: "oidc", issuer: "https://idp.example", ...client } })
        .success,
    );
    assert.ok(!providers.safeParse({ "my-idp": client }).success);
  });

  for (const slug of ["Login", "login", "magic", "webhook", "a/b", "a b", "-a", "x".repeat(65)]) {
    it(`reject the slug ${JSON.stringify(slug.slice(0, 12))}`, () => {
      assert.ok(
        !providers.safeParse({ [slug]: { type: "oidc", issuer: "https://idp.example", ...client } })
          .success,
      );
    });
  }

  it("reject scopes that would break the query", () => {
    assert.ok(!providers.safeParse({ github: { ...client, scopes: ["a b"] } }).success);
  });
});
