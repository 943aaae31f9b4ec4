import assert from "node:assert/strict";
import { readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { RenderedFiles } from "../../../../plugins/markdown/render/render-cache.js";
import { useFolder } from "../../../support/folder.js";

const DAY_MS = 24 * 3600 * 1000;
const key = "ab12";

for (const isExport of [false, true]) {
  describe(`RenderedFiles${isExport ? " of an export" : ""}`, () => {
    const folder = useFolder();
    const create = (): RenderedFiles => new RenderedFiles({ folder: folder.path, isExport });
    const age = (name: string, days: number): Promise<void> => {
      const seconds = (Date.now() - days * DAY_MS) / 1000;
      return utimes(join(folder.path, name), seconds, seconds);
    };

    it("returns what was written, also to other instances", async () => {
      await create().write(key, "text");
      assert.equal(await create().read(key), "text");
      assert.deepEqual((await readdir(join(folder.path, "ab"))).length, 1);
    });

    it("has nothing for an unknown key", async () => {
      assert.equal(await create().read(key), null);
    });

    it("continues when the folder is deleted", async () => {
      const files = create();
      await files.write(key, "text");
      await rm(folder.path, { recursive: true });
      assert.equal(await files.read(key), null);
      await files.write(key, "again");
      assert.equal(await files.read(key), "again");
    });

    it("deletes files unused for a month, checking once a day", async () => {
      await create().write(key, "text");
      await age("ab/12.json", 31);
      await create().write("cd34", "text");
      assert.equal(await create().read(key), "text", "looked for on the same day");
      await age("pruned", 2);
      await create().write("ef56", "text");
      assert.equal(await create().read(key), null);
      assert.equal(await create().read("cd34"), "text");
    });
  });
}
