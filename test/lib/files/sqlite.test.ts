import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteOpener, type SqliteFile } from "#lib/files";
import { useFolder } from "../../support/folder.js";
import { useSqlite } from "../../support/services.js";

describe("the SQLite driver", () => {
  const folder = useFolder();
  const opened: SqliteFile[] = [];
  before(async function () {
    await useSqlite(this);
  });
  afterEach(() => opened.splice(0).forEach((file) => file.close()));

  async function open(): Promise<SqliteFile> {
    const file = (await sqliteOpener())(join(folder.path, "a.sqlite"), { busyMs: 1 });
    opened.push(file);
    return file;
  }
  const codeOf = (work: () => unknown): unknown => {
    try {
      work();
    } catch (error) {
      return error instanceof Error && "code" in error ? error.code : error;
    }
    return null;
  };

  it("distinguishes statements that return rows", async () => {
    const file = await open();
    file.exec("create table t (id integer primary key, name text unique)");
    const insert = file.prepare("insert into t (name) values (?)");
    assert.equal(insert.reader, false);
    assert.deepEqual({ ...insert.run(["a"]) }, { changes: 1, lastInsertRowid: 1 });
    const returning = file.prepare("insert into t (name) values (?) returning id");
    assert.equal(returning.reader, true);
    // Rows of one driver have a prototype, those of the other do not.
    assert.equal(JSON.stringify(returning.all(["b"])), '[{"id":2}]');
    const select = file.prepare("select name from t order by id");
    assert.equal(select.reader, true);
    assert.equal(select.all([]).length, 2);
    assert.equal([...select.iterate([])].length, 2);
    assert.equal(file.prepare("select name from t where id = ?").get([9]), undefined);
  });

  it("uses SQLite's error codes", async () => {
    const file = await open();
    file.exec("create table t (id text primary key, name text unique)");
    const insert = file.prepare("insert into t values (?, ?)");
    insert.run(["1", "a"]);
    assert.equal(
      codeOf(() => insert.run(["1", "b"])),
      "SQLITE_CONSTRAINT_PRIMARYKEY",
    );
    assert.equal(
      codeOf(() => insert.run(["2", "a"])),
      "SQLITE_CONSTRAINT_UNIQUE",
    );
    const other = await open();
    other.exec("begin immediate");
    assert.equal(
      codeOf(() => insert.run(["3", "c"])),
      "SQLITE_BUSY",
    );
  });

  it("reports a file that is not a database", async () => {
    writeFileSync(join(folder.path, "a.sqlite"), "this is no database".repeat(100));
    const file = await open();
    assert.equal(
      codeOf(() => file.exec("pragma journal_mode = WAL")),
      "SQLITE_NOTADB",
    );
  });

  it("names the command that repairs a package without its binary", () => {
    const program = `
      process.getBuiltinModule = () => undefined;
      process.dlopen = () => { throw new Error("Could not locate the bindings file. Tried:\\n → /a/b\\n → /a/c"); };
      const { sqliteOpener } = await import("#lib/files");
      await sqliteOpener().catch(({ code, message, fix, cause }) =>
        console.log(JSON.stringify({ code, message, fix, cause: String(cause), stack: String(cause.stack) })));`;
    const args = ["--import=tsx", "--conditions=source", "--input-type=module", "-e", program];
    const said = execFileSync(process.execPath, args, { encoding: "utf8" });
    const { code, message, fix, cause, stack }: Record<string, string> = JSON.parse(said);
    assert.equal(code, "ERR_SQLITE_MISSING");
    assert.match(String(fix), /`npm rebuild better-sqlite3 --ignore-scripts=false`/);
    // The paths that were tried are many, and of no use.
    assert.match(String(cause), /^Error: Could not locate the bindings file/);
    for (const text of [message, cause, stack]) assert.doesNotMatch(String(text), /\/a\/[bc]/);
  });
});
