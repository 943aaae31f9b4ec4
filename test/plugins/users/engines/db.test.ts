import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sqliteOpener } from "#lib/files";
import { silentLog } from "#kernel";
import { DbAuthzStore } from "../../../../plugins/users/engines/authz-db.js";
import { UserDatabase } from "../../../../plugins/users/engines/database.js";
import { DbUserStore } from "../../../../plugins/users/engines/db.js";
import { authzStoreContract } from "../../../../plugins/users/testing/authz-store-contract.js";
import { userStoreContract } from "../../../../plugins/users/testing/user-store-contract.js";
import { useFolder } from "../../../support/folder.js";
import { usePostgres, useSqlite } from "../../../support/services.js";
import { until } from "../../../support/until.js";
import { startTcpProxy, type TcpProxy } from "../../../support/servers/tcp-proxy.js";

const ann = {
  id: "ann",
  email: "ann@example.org",
  roles: [],
  provider: "magic",
  linkedProviders: [],
  createdAt: 1,
  updatedAt: 1,
  lastSeenAt: 1,
};

describe("user store db on SQLite", () => {
  const folder = useFolder();
  const path = (): string => join(folder.path, "db", "site.sqlite");
  const database = (): UserDatabase =>
    new UserDatabase({ path: path(), url: undefined, log: silentLog });
  before(async function () {
    await useSqlite(this);
  });

  userStoreContract({
    open: () => new DbUserStore(database()),
    again: () => new DbUserStore(database()),
  });

  describe("authz store db on SQLite", () => {
    authzStoreContract({ open: () => new DbAuthzStore(database()) });
  });

  it("migrates once when many start together", async () => {
    const databases = Array.from({ length: 5 }, database);
    await Promise.all(databases.map((one) => one.open()));
    await Promise.all(databases.map((one) => one.close()));
  });

  it("does not open a database that a newer version has migrated", async () => {
    const first = database();
    await first.open();
    await first.close();
    const file = (await sqliteOpener())(path(), { busyMs: 0 });
    file.exec("insert into site_migrations values ('999-later', '2030-01-01')");
    file.close();
    await assert.rejects(database().open(), { code: "ERR_DATABASE_NEWER" });
  });

  it("stores accounts across a restart", async () => {
    const first = new DbUserStore(database());
    await first.create(ann);
    await first.close();
    const second = new DbUserStore(database());
    assert.deepEqual(await second.get("ann"), ann);
    await second.close();
  });

  it("reports a corrupt file at startup, and does not change it", async () => {
    const file = join(folder.path, "site.sqlite");
    await writeFile(file, "this is no database".repeat(100));
    const broken = new UserDatabase({ path: file, url: undefined, log: silentLog });
    await assert.rejects(broken.open(), { code: "ERR_USER_DB_OPEN" });
  });

  it("responds 503 while another process locks the file, then recovers", async () => {
    const store = new DbUserStore(database());
    await store.create(ann);
    const other = (await sqliteOpener())(path(), { busyMs: 0 });
    other.exec("begin immediate");
    const update = (): Promise<unknown> =>
      store.update("ann", (found) => ({ ...found, name: "A" }));
    await assert.rejects(update(), { code: "ERR_USER_STORE_DOWN", status: 503 });
    assert.equal((await store.get("ann"))?.id, "ann");
    other.exec("rollback");
    other.close();
    await update();
    assert.equal((await store.get("ann"))?.name, "A");
    await store.close();
  });
});

describe("user store db on PostgreSQL", () => {
  let proxy: TcpProxy;
  before(async function () {
    proxy = await startTcpProxy((await usePostgres(this)).url);
  });
  after(() => proxy.close());
  const database = (): UserDatabase =>
    new UserDatabase({ path: undefined, url: proxy.url, log: silentLog });
  const empty = (db: UserDatabase): Promise<unknown> =>
    db.run(async (tables) => {
      await tables.deleteFrom("site_user_identities").execute();
      await tables.deleteFrom("site_users").execute();
      await tables.deleteFrom("site_authz_tuples").execute();
      await tables.deleteFrom("site_authz_users").execute();
    });
  const open = async (): Promise<DbUserStore> => {
    const db = database();
    await empty(db);
    return new DbUserStore(db);
  };

  userStoreContract({ open, again: () => new DbUserStore(database()) });

  describe("authz store db on PostgreSQL", () => {
    authzStoreContract({
      open: async () => {
        const db = database();
        await empty(db);
        return new DbAuthzStore(db);
      },
    });
  });

  it("migrates once when many start together", async () => {
    const databases = Array.from({ length: 5 }, database);
    await Promise.all(databases.map((one) => one.open()));
    await Promise.all(databases.map((one) => one.close()));
  });

  it("responds 503 immediately while PostgreSQL is down, and recovers without a restart", async () => {
    const store = await open();
    await store.create(ann);
    await proxy.cut();
    const down = { code: "ERR_USER_STORE_DOWN", status: 503 };
    await assert.rejects(store.get("ann"), down);
    const burst = await Promise.allSettled(Array.from({ length: 100 }, () => store.get("ann")));
    assert.ok(burst.every(({ status }) => status === "rejected"));
    await proxy.restore();
    await until(() =>
      store.get("ann").then(
        (user) => user?.id === "ann",
        () => false,
      ),
    );
    await store.close();
  });

  it("times out when the server does not respond", async () => {
    const store = await open();
    await store.create(ann);
    proxy.freeze();
    await assert.rejects(store.get("ann"), { code: "ERR_USER_STORE_DOWN" });
    await proxy.restore();
    await until(() =>
      store.get("ann").then(
        (user) => user?.id === "ann",
        () => false,
      ),
    );
    await store.close();
  });

  it("shows no SQL in its errors", async () => {
    const store = await open();
    const error: unknown = await store.get("a\u0000b").catch((caught: unknown) => caught);
    assert.ok(error instanceof Error && !/select|invalid byte/i.test(error.message));
    await store.close();
  });
});
