import assert from "node:assert/strict";
import { RoleHolders } from "../../../plugins/payments/payments.js";
import { bootAuthSite, type AuthSite } from "../../support/sites/auth-site.js";
import type { Browser } from "../../support/browsers/browser.js";
import { useSqlite } from "../../support/services.js";

const ME = "http://site.example:8000/auth/me";

for (const userStore of ["local", "db", "session"] as const) {
  describe(`role holders with userStore: ${userStore}`, () => {
    let site: AuthSite;
    let ann: Browser;
    let holders: RoleHolders;
    let id: string;
    let visitors = 0;
    before(async function () {
      if (userStore === "db") await useSqlite(this);
      const env = { SITE_ENV: "dev", SITE_DB_PATH: "site.db" };
      const auth = { userStore, providers: { magicLink: { enabled: true } } };
      site = await bootAuthSite(auth, { env });
      const users = site.site.use("users");
      const isKept = (): boolean => !users.isStateless;
      holders = new RoleHolders({ users, authz: site.site.use("authz"), isKept });
    });
    after(() => site.close());
    beforeEach(async () => {
      ann = await site.loggedIn(`ann${(visitors += 1)}@example.org`);
      ({ id } = await (await ann.go(ME)).json());
    });
    const roles = async (): Promise<string[]> => (await (await ann.go(ME)).json()).roles;

    it("grants and revokes a role, effective on the next request", async () => {
      await holders.give(id, "member");
      await holders.give(id, "member");
      assert.deepEqual(await roles(), ["member"]);
      await holders.give(id, "reader");
      assert.deepEqual(await roles(), ["member", "reader"]);
      await holders.take(id, "member");
      await holders.take(id, "never-had");
      assert.deepEqual(await roles(), ["reader"]);
    });

    it("loses no role to concurrent changes of the account", async () => {
      const paid = ["a", "b", "c", "d"];
      const asked = Array.from({ length: 20 }, () => ann.go(ME));
      await Promise.all([...paid.map((role) => holders.give(id, role)), ...asked]);
      assert.deepEqual(await roles(), paid);
    });

    it("detects deleted accounts if accounts are stored", async () => {
      assert.equal(await holders.exists(id), true);
      await site.site.use("users").delete(id);
      assert.equal(await holders.exists(id), userStore === "session");
    });

    it("stores the provider's customer if accounts are stored", async () => {
      await holders.setCustomer(id, "cus_1");
      await holders.setCustomer(id, "cus_1");
      const user = await site.site.use("users").get(id);
      assert.equal(user?.paymentCustomerId, userStore === "session" ? undefined : "cus_1");
    });
  });
}
