import assert from "node:assert/strict";
import { isLoopback } from "../../../plugins/auth/check-settings.js";
import { bootAuthSite } from "../../support/auth-site.js";

describe("addresses of this machine", () => {
  for (const [address, expected] of [
    ["http://localhost:8080/x", true],
    ["http://LOCALHOST", true],
    ["http://127.0.0.1", true],
    ["http://127.1.2.3", true],
    ["http://2130706433", true],
    ["http://[::1]:1", true],
    ["http://localhost.evil.example", false],
    ["http://127.0.0.1.evil.example", false],
    ["http://evil.example/127.0.0.1", false],
    ["http://127.0.0.1@evil.example", false],
    ["http://10.0.0.1", false],
    ["http://0.0.0.0", false],
    ["http://[::2]", false],
  ] as const) {
    it(`${address}: ${expected}`, () => {
      assert.equal(isLoopback(address), expected);
    });
  }
});

describe("settings of logging in", () => {
  const client = { clientId: "id", clientSecret: "secret" };
  const boot = async (auth: Record<string, unknown>): Promise<void> => {
    await (await bootAuthSite(auth)).close();
  };
  const names = (key: string) => (error: Error) => error.message.includes(key);

  for (const key of ["authorizationUrl", "tokenUrl", "userInfoUrl", "emailsUrl"]) {
    it(`J11: refuse plain http to another machine for ${key}, and name it`, async () => {
      const github = { ...client, [key]: "http://ids.example/x" };
      await assert.rejects(boot({ providers: { github } }), names(`auth.providers.github.${key}`));
    });
  }

  it("J11: refuse keys over plain http", async () => {
    const jwt = { jwksUrl: "http://ids.example/jwks" };
    await assert.rejects(boot({ mode: "external-jwt", jwt }), names("auth.jwt.jwksUrl"));
  });

  it("take https, and http to this machine", async () => {
    const github = {
      ...client,
      tokenUrl: "http://127.0.0.1:1/t",
      userInfoUrl: "https://x.example",
    };
    await boot({ providers: { github } });
    await boot({ mode: "external-jwt", jwt: { jwksUrl: "http://localhost:1/jwks" } });
  });
});
