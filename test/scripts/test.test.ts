import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { quickFiles } from "../../scripts/testing/plan-runs.mjs";
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

  it("runs a file with failures a second time with --retry, and names it", () => {
    writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
    const seen = join(folder.path, "seen");
    const texts = {
      "unstable.test.ts": `import { existsSync, writeFileSync } from "node:fs";
        it("passes later", () => {
          const isSecond = existsSync(${JSON.stringify(seen)});
          writeFileSync(${JSON.stringify(seen)}, "");
          if (!isSecond) throw new Error("too early");
        });`,
      "fails.test.ts": specs["fails.test.ts"],
    };
    const files = Object.entries(texts).map(([name, text]) => {
      writeFileSync(join(folder.path, name), text);
      return relative(repository, join(folder.path, name));
    });
    const { stdout, status } = run(["--retry", ...files]);
    const said = stdout.replaceAll(/^/gm, "  ");
    assert.match(stdout, /^unstable: \S+unstable\.test\.ts failed once/m, said);
    assert.ok(stdout.includes("too early") && stdout.includes("as it should"), said);
    assert.equal(stdout.trim().split("\n").at(-1), "1 passed, 1 failed, 0 skipped", said);
    assert.equal(status, 1);
  });

  it("leaves files with servers or long time limits to --all", () => {
    const texts = {
      "plain.test.ts": "it('works', () => undefined);",
      "minute.test.ts": "this.timeout(60_000);",
      "long.test.ts": "this.timeout(61_000);",
      "redis.test.ts": "before(async function () { await useRedis(this); });",
    };
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(folder.path, name), text);
    }
    assert.deepEqual(quickFiles(folder.path, Object.keys(texts)), [
      "plain.test.ts",
      "minute.test.ts",
    ]);
  });

  const run = (words: readonly string[]) =>
    spawnSync(process.execPath, ["scripts/test.mjs", ...words], {
      cwd: repository,
      encoding: "utf8",
    });
});
