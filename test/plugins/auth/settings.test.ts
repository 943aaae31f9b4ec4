import assert from "node:assert/strict";
import { join } from "node:path";
import jwt from "jsonwebtoken";
import { settings } from "../../../plugins/auth/settings.js";
import { bootAuthSite } from "../../support/auth-site.js";
import { useFolder } from "../../support/folder.js";
import { useSqlite } from "../../support/services.js";

const SECRET = "a secret that both sides know, 32 bytes or more";
const read = (auth: unknown) => settings.site.safeParse({ auth });
const issueOf = (auth: unknown): PropertyKey[] | undefined => read(auth).error?.issues[0]?.path;

describe("settings of accounts", () => {
  it("are absent without the block", () => {
    assert.deepEqual(settings.site.parse({}), {});
  });

  it("J6: tokens have one kind of key, not none and not two", () => {
    const mode = "external-jwt";
    const jwksUrl = "https://ids.example/jwks";
    assert.deepEqual(issueOf({ mode }), ["auth", "jwt"]);
    assert.deepEqual(issueOf({ mode, jwt: {} }), ["auth", "jwt"]);
    assert.deepEqual(issueOf({ mode, jwt: { secret: SECRET, jwksUrl } }), ["auth", "jwt"]);
    assert.deepEqual(issueOf({ mode, jwt: { secret: "" } }), ["auth", "jwt", "secret"]);
    assert.equal(read({ mode, jwt: { secret: SECRET } }).success, true);
    assert.equal(read({ mode, jwt: { jwksUrl } }).success, true);
  });

  it("a webhook has its usual header where the provider has none of its own", () => {
    const headerOf = (provider: string) =>
      read({ webhook: { provider, secret: "s" } }).data?.auth?.webhook?.signatureHeader;
    assert.equal(headerOf("generic"), "x-site-signature");
    assert.equal(headerOf("clerk"), undefined);
  });

  for (const auth of [
    { mode: "none" },
    { authzStore: "session" },
    { userStore: "redis" },
    { sessionLifetime: 59 },
    { sessionLifetime: 31_536_001 },
    { sessionLifetime: 60.5 },
    { jwt: { secret: SECRET, audience: [] } },
    { jwt: { secret: SECRET, algorithms: ["none"] } },
    { webhook: { provider: "generic", secret: "" } },
    { webhook: { provider: "generic", secret: "s", signatureHeader: "x y" } },
    { webhook: { provider: "other", secret: "s" } },
    { loginPath: "login" },
    { loginPath: "//evil.example" },
    { loginPath: "/\\evil.example" },
    { loginPath: "/a b" },
    { loginPath: "/login?next=x" },
    { loginPath: "/a\r\nb" },
    { providres: {} },
  ]) {
    it(`refuse ${JSON.stringify(auth)}`, () => {
      assert.equal(read(auth).success, false);
    });
  }
});

describe("roles in a database", () => {
  const folder = useFolder();
  before(async function () {
    await useSqlite(this);
  });
  const auth = { mode: "external-jwt", jwt: { secret: SECRET }, authzStore: "db" };
  const env = () => ({ SITE_DB_PATH: join(folder.path, "site.sqlite") });
  const ann = { id: "ann", roles: ["admin"] };

  it("are asked of it, outlast a restart, and leave no files", async () => {
    const first = await bootAuthSite(auth, { env: env() });
    assert.deepEqual(await first.site.use("authz").rolesOf(ann), ["admin"]);
    assert.equal(first.site.context("users").engines.get("authzStore").name, "db");
    await first.close();
  });

  it("W5, W6: a report of a deleted user takes them", async () => {
    const webhook = { provider: "clerk", secret: "s" };
    const site = await bootAuthSite({ ...auth, webhook }, { env: env() });
    const token = jwt.sign({ sub: "ann", roles: ["admin"] }, SECRET, { noTimestamp: true });
    assert.ok(token);
    await site.close();
  });

  it("without a database the start says what is missing", async () => {
    await assert.rejects(bootAuthSite(auth), { code: "ERR_USER_DB_UNSET" });
  });
});
