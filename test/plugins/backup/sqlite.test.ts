import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sqliteOpener } from "#lib/files";
import { backUp, restore } from "../../support/processes/backup-commands.js";
import { useFolder } from "../../support/folder.js";
import { useSqlite } from "../../support/services.js";

describe("site backup and site restore with SQLite", () => {
  const folder = useFolder();
  before(function () {
    return useSqlite(this);
  });
  afterEach(() => void delete process.env["SITE_DB_PATH"]);

  /** Opens a database with one row, as a server does. */
  async function fill(file: string, value: string) {
    const database = (await sqliteOpener())(file, { busyMs: 100 });
    database.exec("pragma journal_mode = WAL; create table if not exists t (a text)");
    database.prepare("insert into t values (?)").run([value]);
    return database;
  }

  async function valuesIn(file: string): Promise<string> {
    const database = (await sqliteOpener())(file, { busyMs: 100 });
    const found = JSON.stringify(database.prepare("select a from t").all([]));
    database.close();
    return found;
  }

  it("copy a database of the root while it is used", async () => {
    const root = join(folder.path, "old");
    await mkdir(join(root, "data"), { recursive: true });
    await writeFile(join(root, "site.yaml"), "title: T\n");
    const database = await fill(join(root, "data/own.sqlite"), "kept");
    const file = join(folder.path, "site.tar.gz");
    await backUp(root, file);
    database.close();
    await restore(file, join(folder.path, "new"));
    assert.equal(await valuesIn(join(folder.path, "new/data/own.sqlite")), '[{"a":"kept"}]');
  });

  it("copy the database of SITE_DB_PATH outside the root, and keep the one it replaces", async () => {
    const root = join(folder.path, "old");
    await mkdir(root);
    await writeFile(join(root, "site.yaml"), "title: T\n");
    const from = join(folder.path, "accounts.sqlite");
    const database = await fill(from, "first");
    process.env["SITE_DB_PATH"] = from;
    const file = join(folder.path, "site.tar.gz");
    await backUp(root, file);
    database.prepare("insert into t values (?)").run(["later"]);
    database.close();
    delete process.env["SITE_DB_PATH"];
    await assert.rejects(restore(file, join(folder.path, "new")), { code: "ERR_BACKUP_DATABASE" });
    process.env["SITE_DB_PATH"] = from;
    await assert.rejects(restore(file, join(folder.path, "new")), { code: "ERR_RESTORE_CONFIRM" });
    await restore(file, join(folder.path, "new"), { yes: true });
    assert.equal(await valuesIn(from), '[{"a":"first"}]');
    assert.match(await valuesIn(`${from}.before-restore`), /later/);
  });
});
