import assert from "node:assert/strict";
import { cacheStatements } from "../../../../plugins/users/engines/kept-statements.js";

describe("kept statements", () => {
  function counting(): { prepared: string[]; kept: ReturnType<typeof cacheStatements> } {
    const prepared: string[] = [];
    const kept = cacheStatements({
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
    return { prepared, kept };
  }

  it("prepares each statement once", () => {
    const { prepared, kept } = counting();
    assert.equal(kept.prepare("select 1"), kept.prepare("select 1"));
    assert.deepEqual(kept.prepare("select 2").all([]), ["select 2"]);
    assert.deepEqual(prepared, ["select 1", "select 2"]);
  });

  it("keeps a bounded number, whatever is asked", () => {
    const { prepared, kept } = counting();
    for (let at = 0; at < 1_000; at += 1) kept.prepare(`select ${at}`);
    kept.prepare("select 999");
    assert.equal(prepared.length, 1_000);
    kept.prepare("select 0");
    assert.equal(prepared.at(-1), "select 0");
  });

  it("closes the database", () => {
    const { prepared, kept } = counting();
    kept.close();
    assert.deepEqual(prepared, ["closed"]);
  });
});
