import assert from "node:assert/strict";
import { join } from "node:path";
import { adminPlugins, bootAdmin, password, postLogin } from "../../support/sites/admin-site.js";
import { backUp, restore } from "../../support/processes/backup-commands.js";
import { useFolder } from "../../support/folder.js";
import { usePostgres } from "../../support/services.js";

const plugins = [...adminPlugins, "auth", "postgres"];
const settings = {
  site: {
    auth: { mode: "dune", userStore: "db", authzStore: "db", providers: { magicLink: {} } },
  },
  system: { records: { store: "postgres" } },
};

describe("site backup and site restore with PostgreSQL", function () {
  // Boots two sites on a server that other tests use too.
  this.timeout(240_000);
  const folder = useFolder();
  let urls: string[];
  before(async function () {
    urls = [(await usePostgres(this)).url, (await usePostgres(this)).url];
  });
  after(() => void delete process.env["SITE_DB_URL"]);

  it("move accounts, tokens and the audit log to an empty database", async () => {
    const [from = "", to = ""] = urls;
    const site = await bootAdmin({ plugins, settings, env: { SITE_DB_URL: from } });
    const file = join(folder.path, "site.tar.gz");
    let secret: string;
    try {
      await site.as("admin");
      ({ secret } = await site.site.use("admin").tokens.create({
        name: "deploy ü \u0001",
        permissions: ["pages.read"],
        userId: null,
        expiresAt: null,
      }));
      process.env["SITE_DB_URL"] = from;
      const { json } = await backUp(site.root, file, { json: true });
      assert.match(JSON.stringify(json[0]), /database\/site_users\.ndjson/);
    } finally {
      await site.close();
    }
    const root = join(folder.path, "restored");
    delete process.env["SITE_DB_URL"];
    await assert.rejects(restore(file, root), { code: "ERR_BACKUP_DATABASE" });
    process.env["SITE_DB_URL"] = to;
    await restore(file, root);

    const again = await bootAdmin({ plugins, settings, root, env: { SITE_DB_URL: to } });
    try {
      const login = await postLogin(again, { username: "admin-user", password });
      assert.equal(login.status, 200);
      const withToken = await again.fetch("/admin/api/pages", {
        headers: { authorization: `Bearer ${secret}` },
      });
      assert.equal(withToken.status, 200);
      // New entries follow the restored ones.
      const events = await again.audit();
      const logins = events.filter(({ event }) => event === "auth.login");
      assert.equal(logins.length, 2, JSON.stringify(events));
    } finally {
      await again.close();
    }
    await assert.rejects(restore(file, root), { code: "ERR_RESTORE_CONFIRM" });
    await restore(file, root, { yes: true });
  });
});
