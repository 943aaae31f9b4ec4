import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { useFolder } from "../../support/folder.js";
import type { FullDiskExport } from "../../support/processes/full-disk-export.js";

const run = promisify(execFile);
const script = fileURLToPath(
  new URL("../../support/processes/full-disk-export.ts", import.meta.url),
);
// Needs user namespaces: Linux, and permission to create them.
const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

describe("a static export on a full disk", function () {
  this.timeout(120_000);
  const folder = useFolder();

  it("reports the fix, keeps the last export, and continues when there is room", async function () {
    if (!canMount) return this.skip();
    await mkdir(join(folder.path, "content", "01.home"), { recursive: true });
    await writeFile(join(folder.path, "site.yaml"), "title: Full\nurl: https://example.org\n");
    await writeFile(join(folder.path, "content", "01.home", "default.md"), "# Home\n");
    const flags = ["--import=tsx", "--conditions=source"];
    const command = ["-rm", process.execPath, ...flags, script, folder.path];
    const { stdout } = await run("unshare", command);
    const report = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as FullDiskExport;
    for (const ending of [report.error, report.ofThread]) {
      assert.equal(ending?.code, "ERR_STATIC_WRITE");
      assert.match(ending.message, /dist\/ cannot be written: there is no space left/);
      assert.match(String(ending.fix), /free space/);
      assert.ok(!ending.message.includes(folder.path), ending.message);
    }
    assert.ok(report.isIntact, "files of the last export were touched");
    assert.deepEqual(report.strangers, []);
    assert.ok(report.recovered);
  });
});
