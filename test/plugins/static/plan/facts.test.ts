import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ExportReport } from "../../../../plugins/static/contract.js";
import { exportFolder, type ExportedFolder } from "../../../support/processes/export-folder.js";

describe("an export after an export: files beside pages", () => {
  let site: ExportedFolder;
  const now = Date.now;
  // The time of a recently changed folder is inconclusive: the clock moves on before each export.
  const exportLater = (): Promise<ExportReport> => {
    const later = Date.now() + 3000;
    Date.now = () => Math.max(later, now() + 3000);
    return site.export();
  };
  before(async () => {
    site = await exportFolder({
      "content/01.home/default.md": "---\ntitle: Home\n---\n",
      "content/02.blog/one/default.md": "---\ntitle: One\n---\n![A](a.svg)\n",
    });
    await exportLater();
    await exportLater();
  });
  after(() => {
    Date.now = now;
    return site.close();
  });
  const has = (name: string): boolean => existsSync(join(site.out, "content-media", name));

  it("exports a file that was added beside a page, and renders the page again", async () => {
    await site.write("content/02.blog/one/a.svg", "<svg/>");
    await exportLater();
    assert.ok(has("02.blog/one/a.svg"));
    assert.match(await site.read("blog/one/index.html"), /content-media\/02\.blog\/one\/a\.svg/);
  });

  it("exports its changed bytes, although the time of its folder did not change", async () => {
    await site.write("content/02.blog/one/a.svg", "<svg></svg>");
    await exportLater();
    assert.equal(await site.read("content-media/02.blog/one/a.svg"), "<svg></svg>");
    await site.write("content/02.blog/one/a.svg", "<svg> </svg".padEnd(11));
    await utimes(join(site.root, "content/02.blog/one/a.svg"), 1, 1);
    await exportLater();
    assert.equal(await site.read("content-media/02.blog/one/a.svg"), "<svg> </svg");
  });

  it("exports its sidecar", async () => {
    await site.write("content/02.blog/one/a.svg.meta.yaml", "alt: A drawing\n");
    await exportLater();
    assert.match(await site.read("blog/one/index.html"), /alt="A/);
  });

  it("exports a folder above pages, but not a folder without pages", async () => {
    await site.write("content/02.blog/above.txt", "text");
    await site.write("content/other/alone.txt", "text");
    await exportLater();
    assert.deepEqual([has("02.blog/above.txt"), has("other/alone.txt")], [true, false]);
  });

  it("exports files that a page shows from a folder without pages, and their changes", async () => {
    await site.write(
      "content/02.blog/two/default.md",
      "---\ntitle: Two\n---\n![B](../../other/b.svg)\n",
    );
    for (const text of ["<svg/>", "<svg>new</svg>"]) {
      await site.write("content/other/b.svg", text);
      await exportLater();
      assert.equal(await site.read("content-media/other/b.svg"), text);
    }
  });

  it("removes deleted files", async () => {
    await site.remove("content/02.blog/one/a.svg");
    await exportLater();
    assert.ok(!has("02.blog/one/a.svg"));
  });
});
