import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const module = fileURLToPath(
  new URL("../../../scripts/testing/memory-folder.mjs", import.meta.url),
);
const program = `
  const { memoryFolder } = await import(${JSON.stringify(module)});
  const fs = await import("node:fs");
  const folder = memoryFolder();
  if (folder !== null) fs.writeFileSync(folder + "/left", "");
  const compiled = folder === null ? null : fs.realpathSync(folder + "/tsx-" + process.geteuid());
  console.log(JSON.stringify({ folder, compiled }));
`;

describe("the folder in memory of a test run", () => {
  it("is deleted with what tests left, and keeps the compiled sources elsewhere", function () {
    const temporary = mkdtempSync(join(tmpdir(), "site-memory-"));
    try {
      const said = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
        env: { ...process.env, TMPDIR: temporary },
        encoding: "utf8",
      });
      const { folder, compiled }: { folder: string | null; compiled: string } = JSON.parse(said);
      if (folder === null) return this.skip();
      assert.equal(existsSync(folder), false);
      assert.equal(compiled, join(temporary, `tsx-${process.geteuid?.()}`));
      assert.ok(existsSync(compiled));
    } finally {
      rmSync(temporary, { recursive: true });
    }
  });
});
