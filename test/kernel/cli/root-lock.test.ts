import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockRoot } from "../../../kernel/cli/root-lock.js";
import { useFolder } from "../../support/folder.js";

describe("lockRoot", () => {
  const folder = useFolder();
  const file = () => join(folder.path, "server.pid");

  it("writes the process id", () => {
    lockRoot(folder.path);
    assert.equal(readFileSync(file(), "utf8"), String(process.pid));
  });

  it("F5: refuses a folder of a living process", () => {
    writeFileSync(file(), String(process.ppid));
    assert.throws(() => lockRoot(folder.path), { code: "ERR_ROOT_LOCKED" });
  });

  for (const left of ["999999999", "", "nonsense", "-1"]) {
    it(`takes over from ${JSON.stringify(left)}`, () => {
      writeFileSync(file(), left);
      lockRoot(folder.path);
      assert.equal(readFileSync(file(), "utf8"), String(process.pid));
    });
  }
});
