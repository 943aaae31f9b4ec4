import assert from "node:assert/strict";
import { SiteFiles, writeFile } from "../../../../plugins/admin/dev-apply/site-files.js";
import { rightsWithout } from "../../../support/content/write-rights.js";

describe("write outside the content folder", () => {
  const files = new SiteFiles("/tmp", { isDry: true });
  for (const [kind, path, content, status] of [
    ["theme", "themes/a/theme.yaml", "name: a\n", "created"],
    ["theme", "themes/a/theme.yaml", "a: [", "error"],
    ["theme", "themes/a/logo.svg", "<svg/>", "created"],
    ["theme", "themes/a/run.sh", "x", "error"],
    ["flex", "flex-objects/book.yaml", "title: B\n", "created"],
    ["flex", "flex-objects/book.yaml", "- a\n", "error"],
    ["flex", "flex-objects/a/b/c.yaml", "a: 1\n", "error"],
    ["flex", "flex-objects/book.json", "{}", "error"],
  ] as const) {
    it(`${status === "error" ? "rejects" : "accepts"} ${path} with ${JSON.stringify(content)}`, async () => {
      const own = new SiteFiles("/tmp", { isDry: true });
      assert.equal(
        (
          await writeFile(
            { files: own, flex: undefined, rights: rightsWithout() },
            { kind, path, content },
          )
        ).status,
        status,
      );
    });
  }
  it("writes nothing in a dry run", async () =>
    assert.equal(await files.read("themes/a/logo.svg"), null));
});
