import assert from "node:assert/strict";
import type { LoginEvent } from "../../../../plugins/auth/contract.js";
import { bootAuthSite, SITE_URL, type AuthSite } from "../../../support/sites/auth-site.js";

const MAGIC = { providers: { magicLink: { enabled: true } } };
const EMAIL = "ann@example.org";

describe("starting a session", () => {
  let site: AuthSite;
  const told: LoginEvent[] = [];
  beforeEach(async () => {
    told.length = 0;
    const listener = {
      name: "listener",
      version: "1.0.0",
      hooks: { onLogin: ({ data }: { data: LoginEvent }) => void told.push(data) },
    };
    site = await bootAuthSite(MAGIC, { extraPlugins: [listener] });
  });
  afterEach(() => site.close());

  it("emits onLogin once, with the current roles and the provider", async () => {
    const users = site.site.use("users");
    const { id } = await users.create({ email: EMAIL, provider: "magic", roles: ["member"] });
    await site.site.use("authz").grant({ user: id, relation: "granted", object: "role:reader" });
    const ann = await site.loggedIn(EMAIL);
    assert.equal(told.length, 1);
    assert.deepEqual([told[0]?.user.id, told[0]?.provider], [id, "magic"]);
    assert.deepEqual(told[0]?.user.roles, ["member", "reader"]);
    assert.ok(!JSON.stringify(told).includes("passwordHash"));
    // The session has these roles already, so the first request does not renew it.
    const cookie = ann.cookie("site_auth");
    await ann.go(`${SITE_URL}/auth/me`);
    assert.equal(ann.cookie("site_auth"), cookie);
  });

  it("rejects a disabled account: no cookie, no session, no event", async () => {
    const users = site.site.use("users");
    const { id } = await users.create({ email: EMAIL, provider: "magic" });
    await users.update(id, (user) => ({ ...user, enabled: false }));
    const ann = site.browser();
    const res = await ann.go(await site.linkFor({ email: EMAIL }));
    assert.equal(ann.cookie("site_auth"), undefined);
    assert.ok(res.status >= 300 && res.status < 500, String(res.status));
    assert.deepEqual(told, []);
    assert.equal(await site.site.use("session").revokeUser(id), 0);
  });
});
