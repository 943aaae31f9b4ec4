import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readFrontMatter } from "../../../../plugins/content/read/front-matter/front-matter.js";
import { patchFrontMatter } from "../../../../plugins/content/write/patch-front-matter.js";

/** The bytes after a patch of front matter. */
function patched(bytes: Buffer, patch: Readonly<Record<string, unknown>>): Buffer {
  const result = patchFrontMatter(bytes, patch);
  assert.ok("bytes" in result, JSON.stringify(result));
  return result.bytes;
}

describe("the pages of our own documentation", () => {
  it("are byte for byte the same after a change and back", async () => {
    const names = await readdir("content", { recursive: true });
    const pages = names.filter((name) => /\.mdx?$/.test(name));
    assert.ok(pages.length > 50);
    for (const name of pages) {
      const bytes = await readFile(join("content", name));
      const matter = readFrontMatter(bytes);
      assert.ok("data" in matter, name);
      const added = patched(bytes, { zz_added: "x" });
      assert.equal(patched(added, { zz_added: null }).equals(bytes), true, name);
      const { title } = matter.data;
      if (typeof title !== "string") continue;
      const renamed = patched(bytes, { title: "Another title" });
      assert.equal(renamed.equals(bytes), false, name);
      assert.equal(patched(renamed, { title }).equals(bytes), true, name);
    }
  });
});
