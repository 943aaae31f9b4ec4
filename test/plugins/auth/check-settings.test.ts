import assert from "node:assert/strict";
import { bootAuthSite } from "../../support/sites/auth-site.js";

describe("auth settings", () => {
  const client = { clientId: "id", clientSecret: "secret" };
  const boot = async (auth: Record<string, unknown>): Promise<void> => {
    await (await bootAuthSite(auth)).close();
  };
  const names = (key: string) => (error: Error) => error.message.includes(key);

  for (const key of ["authorizationUrl", "tokenUrl", "userInfoUrl", "emailsUrl"]) {
    it(`reject plain http to another machine for ${key}`, async () => {
      const github = { ...client, [key]: "http://ids.example/x" };
      await assert.rejects(boot({ providers: { github } }), names(`auth.providers.github.${key}`));
    });
  }

  it("reject keys over plain http", async () => {
    const jwt = { jwksUrl: "http://ids.example/jwks" };
    await assert.rejects(boot({ mode: "external-jwt", jwt }), names("auth.jwt.jwksUrl"));
  });

  it("accept https, and http to this machine", async () => {
    const github = {
      ...client,
      tokenUrl: "http://127.0.0.1:1/t",
      userInfoUrl: "https://x.example",
    };
    await boot({ providers: { github } });
    await boot({ mode: "external-jwt", jwt: { jwksUrl: "http://localhost:1/jwks" } });
  });
});
