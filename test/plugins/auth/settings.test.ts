import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { settings } from "../../../plugins/auth/settings.js";
import { bootAuthSite, type AuthSite } from "../../support/sites/auth-site.js";
import { useFolder } from "../../support/folder.js";
import { useSqlite } from "../../support/services.js";

const SECRET = "a secret that both sides know, 32 bytes or more";
const CLIENT = { clientId: "a", clientSecret: "b" };
const read = (auth: unknown) => settings.site.safeParse({ auth });
const issueOf = (auth: unknown): PropertyKey[] | undefined => read(auth).error?.issues[0]?.path;

describe("account settings", () => {
  it("are absent without the block", () => {
    assert.deepEqual(settings.site.parse({}), {});
  });

  it("require exactly one kind of key for tokens", () => {
    const mode = "external-jwt";
    const jwksUrl = "https://ids.example/jwks";
    assert.deepEqual(issueOf({ mode }), ["auth", "jwt"]);
    assert.deepEqual(issueOf({ mode, jwt: {} }), ["auth", "jwt"]);
    assert.deepEqual(issueOf({ mode, jwt: { secret: SECRET, jwksUrl } }), ["auth", "jwt"]);
    assert.deepEqual(issueOf({ mode, jwt: { secret: "" } }), ["auth", "jwt", "secret"]);
    assert.equal(read({ mode, jwt: { secret: SECRET } }).success, true);
    assert.equal(read({ mode, jwt: { jwksUrl } }).success, true);
  });

  it("default the signature header of a generic webhook", () => {
    const headerOf = (provider: string) =>
      read({ webhook: { provider, secret: "s" } }).data?.auth?.webhook?.signatureHeader;
    assert.equal(headerOf("generic"), "x-site-signature");
    assert.equal(headerOf("clerk"), undefined);
  });

  it("accept known providers, and any other slug as an OpenID provider", () => {
    const work = { type: "oidc", issuer: "https://idp.example", ...CLIENT };
    const known = { github: CLIENT, google: CLIENT, discord: CLIENT, magicLink: { enabled: true } };
    assert.equal(read({ providers: { ...known, "my-idp": work } }).success, true);
  });

  for (const auth of [
    { mode: "none" },
    { authzStore: "session" },
    { userStore: "redis" },
    { sessionLifetime: 0 },
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
    { providers: { "my-idp": CLIENT } },
    { providers: { github: { ...CLIENT, scopes: ["a b"] } } },
    ...["Login", "login", "magic", "webhook", "a/b", "a b", "-a", "x".repeat(65)].map((slug) => ({
      providers: { [slug]: { type: "oidc", issuer: "https://idp.example", ...CLIENT } },
    })),
  ]) {
    it(`reject ${JSON.stringify(auth)}`, () => {
      assert.equal(read(auth).success, false);
    });
  }
});

describe("roles in a database", () => {
  const folder = useFolder();
  let site: AuthSite | null = null;
  before(async function () {
    await useSqlite(this);
  });
  afterEach(async () => {
    await site?.close();
    site = null;
  });
  const auth = { mode: "external-jwt", jwt: { secret: SECRET }, authzStore: "db" };
  const boot = async (part: Record<string, unknown> = {}): Promise<AuthSite> => {
    const env = { SITE_DB_PATH: join(folder.path, "site.sqlite") };
    site = await bootAuthSite({ ...auth, ...part }, { env });
    return site;
  };
  const ann = { id: "ann", roles: ["admin"] };

  it("are stored there and not in files", async () => {
    const first = await boot();
    assert.deepEqual(await first.site.use("authz").rolesOf(ann), ["admin"]);
    assert.equal(first.site.context("users").engines.slot("authzStore").activeName, "db");
    await stat(join(folder.path, "site.sqlite"));
    await assert.rejects(stat(join(first.root, "data", "permissions")), { code: "ENOENT" });
  });

  it("disable deletion reports, with a warning at startup", async () => {
    const webhook = { provider: "generic", secret: SECRET };
    const running = await boot({ webhook });
    const body = '{"type":"user.deleted","data":{"id":"ann"}}';
    const hmac = createHmac("sha256", SECRET).update(body).digest("hex");
    const res = await running.fetch("/auth/webhook", {
      method: "POST",
      headers: { "content-type": "application/json", "x-site-signature": hmac },
      body,
    });
    assert.equal(res.status, 404);
    assert.ok(running.log.some((line) => /auth\.settings.*"auth\.webhook".*local/.test(line)));
  });

  it("keep a deleted user deleted across a restart", async () => {
    const at = 1_800_000_000_000;
    const first = await boot();
    await first.site.use("authz").rolesOf(ann);
    assert.equal(await first.site.use("authz").endUser("ann", at), 1);
    await first.close();
    const { site: again } = await boot();
    const claim = { id: "ann", roles: ["editor"] };
    assert.deepEqual(await again.use("authz").rolesOf({ ...claim, vouchedAt: at }), []);
    assert.deepEqual(await again.use("authz").rolesOf({ ...claim, vouchedAt: at * 2 }), ["editor"]);
  });

  it("report a missing database at startup", async () => {
    await assert.rejects(bootAuthSite(auth), { code: "ERR_USER_DB_UNSET" });
  });
});
