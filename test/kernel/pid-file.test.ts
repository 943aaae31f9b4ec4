import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimPidFile, isAnotherRunning } from "#kernel";
import { useFolder } from "../support/folder.js";

// Beyond what Linux gives to any process.
const GONE = 2_147_483_646;

describe("claimPidFile", () => {
  const folder = useFolder();
  const file = (): string => join(folder.path, "pid");

  it("gives the file to the first process that asks, and to it again", () => {
    assert.deepEqual([claimPidFile(file()), claimPidFile(file())], [null, null]);
    assert.equal(readFileSync(file(), "utf8"), String(process.pid));
  });

  it("leaves the file to another process that runs, and says which", () => {
    writeFileSync(file(), `${process.ppid}\n`);
    assert.equal(claimPidFile(file()), process.ppid);
    assert.equal(readFileSync(file(), "utf8"), `${process.ppid}\n`);
  });

  for (const left of [String(GONE), "", "nonsense", "-1", "1.5"]) {
    it(`takes over from ${JSON.stringify(left)}`, () => {
      writeFileSync(file(), left);
      assert.equal(claimPidFile(file()), null);
      assert.equal(readFileSync(file(), "utf8"), String(process.pid));
    });
  }

  it("throws what is no question of whose it is", () => {
    assert.throws(() => claimPidFile(join(folder.path, "none", "pid")), { code: "ENOENT" });
    mkdirSync(file());
    assert.throws(() => claimPidFile(file()), { code: "EISDIR" });
  });
});

describe("isAnotherRunning", () => {
  it("asks for processes of this machine, never for this one", () => {
    const asked = [process.ppid, process.pid, GONE, 0, -1, 1.5, NaN];
    assert.deepEqual(asked.map(isAnotherRunning), [true, false, false, false, false, false, false]);
  });
});
