import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { canMount, reportOf } from "../../support/processes/small-disk.js";
import { useFolder } from "../../support/folder.js";
import type { FullDiskReport } from "../../support/sites/full-disk-site.js";

const script = fileURLToPath(new URL("../../support/sites/full-disk-site.ts", import.meta.url));

describe("a full disk under the cache of images", function () {
  this.timeout(240_000);
  const folder = useFolder();

  it("loses no response, page or variant; variants are cached again when there is room", async function () {
    // Needs user namespaces: Linux, and permission to create them.
    if (!canMount) return this.skip();
    const home = join(folder.path, "content", "01.home");
    await mkdir(home, { recursive: true });
    await writeFile(join(folder.path, "site.yaml"), "title: Full\n");
    await writeFile(join(home, "default.md"), "# Home\n");
    const raw = { width: 800, height: 800, channels: 3 } as const;
    // Noise does not compress: a variant of it is larger than the disk.
    await writeFile(
      join(home, "noise.png"),
      await sharp(randomBytes(800 * 800 * 3), { raw })
        .png()
        .toBuffer(),
    );
    const report = (await reportOf(script, folder.path)) as FullDiskReport;
    assert.deepEqual(new Set(report.statuses), new Set([200]));
    const total = report.sizes.reduce((sum, [size]) => sum + size, 0);
    assert.ok(total > 2 * 1024 * 1024, `${total} bytes do not fill the disk`);
    for (const [once, again] of report.sizes) assert.equal(again, once);
    assert.deepEqual(report.temporary, [], "what could not be written is taken away");
    assert.match(report.page, /Home/);
    assert.deepEqual(report.afterwards, [200, "processed"]);
  });
});
