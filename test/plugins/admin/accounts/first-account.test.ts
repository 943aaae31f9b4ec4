import assert from "node:assert/strict";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { KeyedLock, silentLog, type WriteLock } from "#kernel";
import { ensureAdmin } from "../../../../plugins/admin/accounts/first-account.js";
import { bootAdmin } from "../../../support/sites/admin-site.js";
import { bootSite } from "../../../support/sites/boot-site.js";

describe("the first account", () => {
  it("is created once: a second start creates no account and writes no file", async () => {
    const first = await bootAdmin();
    const file = join(first.root, ".dune/admin/initial-admin-password");
    const { root } = first;
    await first.site.close();
    try {
      await rm(file);
      const second = await bootSite({ root, plugins: ["admin"] });
      assert.equal(await second.site.use("users").count(), 1);
      await assert.rejects(stat(file));
      await second.close();
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("is created by one of two nodes that start at the same time", async () => {
    const { root, site } = await bootAdmin();
    try {
      const users = site.use("users");
      const lock = new KeyedLock();
      const writeLock = (): WriteLock => ({
        run: (work) => lock.run("write", () => work(() => undefined)),
      });
      for (const { id } of await users.list({})) await users.delete(id);
      const nodes = ["a", "b"].map((name) => join(root, name));
      const starts = nodes.map((runtime) =>
        ensureAdmin({ users, runtime, log: silentLog, writeLock }),
      );
      const created = (await Promise.all(starts)).filter((user) => user !== null);
      assert.equal(created.length, 1);
      const files = nodes.map((runtime) => join(runtime, "initial-admin-password"));
      const passwords = await Promise.all(
        files.map((file) => readFile(file, "utf8").catch(() => "")),
      );
      const [password = "", ...others] = passwords.filter((text) => text !== "");
      assert.deepEqual(others, []);
      assert.ok(await users.verifyPassword("admin", password.trim()));
    } finally {
      await site.close();
      await rm(root, { recursive: true, force: true });
    }
  });

  it("gets a password when a crash left it without one", async () => {
    const first = await bootAdmin();
    const { root } = first;
    const users = first.site.use("users");
    const admin = await users.findByUsername("admin");
    await users.update(admin?.id ?? "", ({ passwordHash: _, ...user }) => user);
    await first.site.close();
    try {
      const second = await bootSite({ root, plugins: ["admin"] });
      const password = (
        await readFile(join(root, ".dune/admin/initial-admin-password"), "utf8")
      ).trim();
      assert.ok(await second.site.use("users").verifyPassword("admin", password));
      await second.close();
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("is not created by commands, which do not listen", async () => {
    const { createSite, createEnv } = await import("#kernel");
    const { silentLog } = await import("#kernel");
    const { firstParty } = await import("../../../../plugins/main.js");
    const site = await bootAdmin({ files: { "admin.yaml": "enabled: false\n" } });
    try {
      await site.write("admin.yaml", "enabled: true\n");
      const command = await createSite(site.root, {
        firstParty,
        env: createEnv({ SITE_ENV: "dev" }),
        log: silentLog,
        selection: ["admin"],
      });
      await command.start();
      assert.equal(await command.use("users").count(), 0);
      await command.close();
    } finally {
      await site.close();
    }
  });
});
