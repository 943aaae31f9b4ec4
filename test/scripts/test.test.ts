import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { useFolder } from "../support/folder.js";
import { repository } from "../support/repository.js";

const specs = {
  "fails.test.ts": `it("is wrong", () => { throw new Error("as it should"); });`,
  "passes.test.ts": `it("is right", () => undefined); it("is later", function () { this.skip(); });`,
  "rejects.test.ts": `it("waits", async () => {
    void Promise.reject(new Error("not awaited"));
    await new Promise(() => undefined);
  });`,
  "exits.test.ts": `it("ends", () => process.exit(0));`,
  "says-a-code.test.ts": `it("is a command", () => void (process.exitCode = 3));`,
};

describe("npm test", () => {
  const folder = useFolder();

  it("counts passed, failed and skipped tests, and a process that exits before its tests are done", () => {
    writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
    const files = Object.entries(specs).map(([name, text]) => {
      writeFileSync(join(folder.path, name), text);
      return relative(repository, join(folder.path, name));
    });
    const { stdout, status } = run(files);
    // Indented: the failure output of this test must not be counted as a result.
    const said = stdout.replaceAll(/^/gm, "  ");
    assert.equal(stdout.trim().split("\n").at(-1), "2 passed, 3 failed, 1 skipped", said);
    assert.equal(status, 1);
    for (const text of ["as it should", "not awaited", "ended with code 0 after"]) {
      assert.ok(stdout.includes(text), said);
    }
  });

  it("fails when no test ran", () => {
    const { stderr, status } = run(["test/none.test.ts"]);
    assert.match(stderr, /there is no test\/none\.test\.ts/);
    assert.equal(status, 1);
  });

  const run = (words: readonly string[]) =>
    spawnSync(process.execPath, ["scripts/test.mjs", ...words], {
      cwd: repository,
      encoding: "utf8",
    });
});
