import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canMount, reportOf } from "../../support/processes/small-disk.js";
import { useFolder } from "../../support/folder.js";
import type { FullDiskExport } from "../../support/processes/full-disk-export.js";

const script = fileURLToPath(
  new URL("../../support/processes/full-disk-export.ts", import.meta.url),
);

describe("a static export on a full disk", function () {
  this.timeout(240_000);
  const folder = useFolder();

  it("reports the fix, keeps the last export, and continues when there is room", async function () {
    if (!canMount) return this.skip();
    await mkdir(join(folder.path, "content", "01.home"), { recursive: true });
    await writeFile(join(folder.path, "site.yaml"), "title: Full\nurl: https://example.org\n");
    await writeFile(join(folder.path, "content", "01.home", "default.md"), "# Home\n");
    const report = (await reportOf(script, folder.path)) as FullDiskExport;
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
