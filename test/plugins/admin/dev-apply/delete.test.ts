import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deleteFile, SiteFiles } from "../../../../plugins/admin/dev-apply/site-files.js";

describe("delete outside the content folder", () => {
  it("deletes a file, but no link, folder or missing file", async () => {
    const root = await mkdtemp(join(tmpdir(), "site-delete-"));
    try {
      await writeFile(join(root, "a.css"), "a");
      await symlink(join(root, "a.css"), join(root, "link.css"));
      const files = new SiteFiles(root, { isDry: false });
      assert.equal((await deleteFile(files, "link.css")).status, "error");
      assert.equal((await deleteFile(files, "a.css")).status, "deleted");
      assert.equal((await deleteFile(files, "a.css")).status, "error");
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
