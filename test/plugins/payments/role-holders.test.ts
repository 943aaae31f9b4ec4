import assert from "node:assert/strict";
import { join } from "node:path";
import { RoleHolders } from "../../../plugins/payments/payments.js";
import { bootAuthSite, type AuthSite } from "../../support/sites/auth-site.js";
import type { Browser } from "../../support/browsers/browser.js";
import { useFolder } from "../../support/folder.js";
import { useSqlite } from "../../support/services.js";

const ME = "http://site.example:8000/auth/me";

describe("role holders", () => {
  const folder = useFolder();
  let site: AuthSite;
  let ann: Browser;
  let holders: RoleHolders;
  afterEach(() => site.close());

  async function boot(userStore: "local" | "db" | "session"): Promise<string> {
    const env = { SITE_ENV: "dev", SITE_DB_PATH: join(folder.path, "site.db") };
    const auth = { userStore, providers: { magicLink: { enabled: true } } };
    site = await bootAuthSite(auth, { env });
    ann = await site.loggedIn("ann@example.org");
    const users = site.site.use("users");
    const isKept = (): boolean => !users.isStateless;
    holders = new RoleHolders({ users, authz: site.site.use("authz"), isKept });
    return (await (await ann.go(ME)).json()).id;
  }
  const roles = async (): Promise<string[]> => (await (await ann.go(ME)).json()).roles;

  for (const userStore of ["local", "db", "session"] as const) {
    describe(`userStore: ${userStore}`, () => {
      before(async function () {
        if (userStore === "db") await useSqlite(this);
      });

      it("grants and revokes a role, effective on the next request", async () => {
        const id = await boot(userStore);
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
        const id = await boot(userStore);
        const paid = ["a", "b", "c", "d"];
        const asked = Array.from({ length: 20 }, () => ann.go(ME));
        await Promise.all([...paid.map((role) => holders.give(id, role)), ...asked]);
        assert.deepEqual(await roles(), paid);
      });

      it("detects deleted accounts if accounts are stored", async () => {
        const id = await boot(userStore);
        assert.equal(await holders.exists(id), true);
        await site.site.use("users").delete(id);
        assert.equal(await holders.exists(id), userStore === "session");
      });

      it("stores the provider's customer if accounts are stored", async () => {
        const id = await boot(userStore);
        await holders.setCustomer(id, "cus_1");
        await holders.setCustomer(id, "cus_1");
        const user = await site.site.use("users").get(id);
        assert.equal(user?.paymentCustomerId, userStore === "session" ? undefined : "cus_1");
      });
    });
  }
});
