import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  deleteFile,
  SiteFiles,
  writeFile,
} from "../../../../plugins/admin/dev-apply/site-files.js";
import { rightsWithout } from "../../../support/content/write-rights.js";

describe("SiteFiles with write and delete", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "site-files-"));
  });
  afterEach(() => rm(root, { recursive: true }));
  const theme = { kind: "theme", path: "themes/a/a.css", content: "a{}" } as const;

  for (const isDry of [false, true]) {
    it(`sees earlier changes of the same batch (${isDry ? "dry" : "real"})`, async () => {
      const files = new SiteFiles(root, { isDry });
      const parts = { files, flex: undefined, rights: rightsWithout() };
      assert.equal((await writeFile(parts, theme)).status, "created");
      assert.equal((await writeFile(parts, theme)).status, "skipped");
      assert.equal((await writeFile(parts, { ...theme, content: "b{}" })).status, "updated");
      assert.equal((await deleteFile(files, theme.path)).status, "deleted");
      assert.equal((await deleteFile(files, theme.path)).status, "error");
      assert.equal((await writeFile(parts, theme)).status, "created");
      if (isDry) assert.deepEqual(await readdir(root), []);
      else assert.equal(await readFile(join(root, theme.path), "utf8"), "a{}");
    });
  }
});
