import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MediaFolders } from "../../../../plugins/content/read/media-folders.js";
import { contentRules } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

for (const isExport of [false, true])
  describe(`MediaFolders${isExport ? " of an export" : ""}`, () => {
    const folder = useFolder();
    let reports = 0;
    const onProblems = (): void => void (reports += 1);
    const create = (): MediaFolders =>
      new MediaFolders(() => ({ ...contentRules, root: folder.path }), { isExport, onProblems });
    const put = (name: string, text = "x") => writeFile(join(folder.path, "a", name), text);
    const names = async (media: MediaFolders) => (await media.list("a")).map(({ name }) => name);

    beforeEach(async () => {
      reports = 0;
      await mkdir(join(folder.path, "a"));
      await put("1.png");
    });

    it("is empty for a folder with only pages, or a missing one", async () => {
      await mkdir(join(folder.path, "b"));
      await writeFile(join(folder.path, "b/default.md"), "text");
      assert.deepEqual(await create().list("b"), []);
      assert.deepEqual(await create().list("c"), []);
    });

    it(`lists ${isExport ? "once" : "every time while the folder is not watched"}`, async () => {
      const media = create();
      assert.deepEqual(await names(media), ["1.png"]);
      await put("2.png");
      assert.deepEqual(await names(media), isExport ? ["1.png"] : ["1.png", "2.png"]);
    });

    it("does not take folders of pages for media", async () => {
      await mkdir(join(folder.path, "a/02.sketch.png"));
      assert.deepEqual(await names(create()), ["1.png"]);
    });

    it("caches a listing while the folder is watched, until it is evicted", async () => {
      const media = create();
      media.keepWhile(() => true);
      const first = await media.list("a");
      await put("2.png");
      assert.equal(await media.list("a"), first);
      media.invalidate(new Set(["media:b", "page:a/post.md"]));
      assert.equal(await media.list("a"), first);
      media.invalidate(new Set(["media:a"]));
      assert.deepEqual(await names(media), ["1.png", "2.png"]);
      await put("3.png");
      media.clear();
      assert.deepEqual(await names(media), ["1.png", "2.png", "3.png"]);
    });

    it("does not cache a folder that changed while it was listed", async () => {
      const media = create();
      media.keepWhile(() => true);
      const listing = media.list("a");
      await put("2.png");
      media.invalidate(new Set(["media:a"]));
      await listing;
      assert.deepEqual(await names(media), ["1.png", "2.png"]);
    });

    it("reports a broken sidecar once, as a problem", async () => {
      const media = create();
      await put("1.png.meta.yaml", "a: b: c");
      await media.list("a");
      assert.deepEqual(
        media.lastProblems.map(({ code }) => code),
        ["ERR_CONTENT_SIDECAR"],
      );
      assert.equal(reports, 1);
      const problems = await media.problems(["a", "a", "gone"]);
      assert.deepEqual(
        problems.map(({ code }) => code),
        ["ERR_CONTENT_SIDECAR"],
      );
    });

    it("finds files by folder and name", async () => {
      assert.notEqual(await create().find("a", "1.png"), null);
      assert.equal(await create().find("a", "2.png"), null);
    });
  });
