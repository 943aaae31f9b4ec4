import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ExportReport } from "../../../plugins/static/contract.js";
import { exportFolder, type ExportedFolder } from "../../support/export-folder.js";

describe("an export after an export: files beside pages", () => {
  let site: ExportedFolder;
  const now = Date.now;
  // The time of a folder that has just changed tells nothing: the clock moves on before each export.
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

  it("takes in a file that was put beside a page, and makes the page anew", async () => {
    await site.write("content/02.blog/one/a.svg", "<svg/>");
    await exportLater();
    assert.ok(has("02.blog/one/a.svg"));
    assert.match(await site.read("blog/one/index.html"), /content-media\/02\.blog\/one\/a\.svg/);
  });

  it("takes in what it says now, though its folder stands as it was", async () => {
    await site.write("content/02.blog/one/a.svg", "<svg></svg>");
    await exportLater();
    assert.equal(await site.read("content-media/02.blog/one/a.svg"), "<svg></svg>");
    await site.write("content/02.blog/one/a.svg", "<svg> </svg".padEnd(11));
    await utimes(join(site.root, "content/02.blog/one/a.svg"), 1, 1);
    await exportLater();
    assert.equal(await site.read("content-media/02.blog/one/a.svg"), "<svg> </svg");
  });

  it("takes in its sidecar", async () => {
    await site.write("content/02.blog/one/a.svg.meta.yaml", "alt: A drawing\n");
    await exportLater();
    assert.match(await site.read("blog/one/index.html"), /alt="A/);
  });

  it("takes in a folder above pages, and leaves out one without", async () => {
    await site.write("content/02.blog/above.txt", "text");
    await site.write("content/other/alone.txt", "text");
    await exportLater();
    assert.deepEqual([has("02.blog/above.txt"), has("other/alone.txt")], [true, false]);
  });

  it("takes in what a page shows of a folder without pages, and what that says now", async () => {
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

  it("takes away what is gone", async () => {
    await site.remove("content/02.blog/one/a.svg");
    await exportLater();
    assert.ok(!has("02.blog/one/a.svg"));
  });
});
