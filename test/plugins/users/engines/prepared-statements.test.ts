import assert from "node:assert/strict";
import { cacheStatements } from "../../../../plugins/users/engines/database.js";

describe("cached statements", () => {
  function counting(): { prepared: string[]; database: ReturnType<typeof cacheStatements> } {
    const prepared: string[] = [];
    const database = cacheStatements({
      prepare: (sql) => {
        prepared.push(sql);
        const run = (): { changes: number; lastInsertRowid: number } => ({
          changes: 0,
          lastInsertRowid: 0,
        });
        return { reader: true, all: () => [sql], run, iterate: () => [sql].values() };
      },
      close: () => prepared.push("closed"),
    });
    return { prepared, database };
  }

  it("prepares each statement once", () => {
    const { prepared, database } = counting();
    assert.equal(database.prepare("select 1"), database.prepare("select 1"));
    assert.deepEqual(database.prepare("select 2").all([]), ["select 2"]);
    assert.deepEqual(prepared, ["select 1", "select 2"]);
  });

  it("limits the number of cached statements", () => {
    const { prepared, database } = counting();
    for (let at = 0; at < 1_000; at += 1) database.prepare(`select ${at}`);
    database.prepare("select 999");
    assert.equal(prepared.length, 1_000);
    database.prepare("select 0");
    assert.equal(prepared.at(-1), "select 0");
  });

  it("closes the database", () => {
    const { prepared, database } = counting();
    database.close();
    assert.deepEqual(prepared, ["closed"]);
  });
});
