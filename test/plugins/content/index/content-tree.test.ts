import assert from "node:assert/strict";
import { indexOf } from "../../../support/content/content-tree.js";

const files = [
  "01.home/default.md",
  "02.blog/blog.md",
  "02.blog/blog.de.md",
  "02.blog/03.first/post.md",
  "02.blog/05.flat.md",
  "02.blog/_hero/item.md",
  "02.blog/_hero/below/item.md",
  "empty/deep/post.md",
  "_drafts/later/post.md",
];
const index = indexOf(Object.fromEntries(files.map((path) => [path, "text"])), {
  languages: ["en", "de"],
});

describe("the place of a file in the tree", () => {
  for (const [path, route, url, parent, depth] of [
    ["01.home/default.md", "/", "/", null, 0],
    ["02.blog/blog.md", "/blog", "/blog", null, 0],
    ["02.blog/blog.de.md", "/blog", "/de/blog", null, 0],
    ["02.blog/03.first/post.md", "/blog/first", "/blog/first", "/blog", 1],
    ["02.blog/05.flat.md", "/blog/flat", "/blog/flat", "/blog", 1],
  ] as const) {
    it(`puts ${path} at ${route}`, () => {
      const entry = index.bySource.get(path);
      assert.deepEqual(
        [entry?.route, entry?.url, entry?.parent, entry?.depth],
        [route, url, parent, depth],
      );
    });
  }

  it("takes order and template from the names", () => {
    const first = index.bySource.get("02.blog/03.first/post.md");
    const flat = index.bySource.get("02.blog/05.flat.md");
    assert.deepEqual([first?.order, first?.template], [3, "post"]);
    assert.deepEqual([flat?.order, flat?.template], [5, "default"]);
  });

  it("gives no route to modules, pages below them, and drafts", () => {
    const paths = ["02.blog/_hero/item.md", "02.blog/_hero/below/item.md", "_drafts/later/post.md"];
    for (const path of paths) assert.equal(index.bySource.get(path)?.routable, false, path);
    assert.equal(index.bySource.get("02.blog/_hero/item.md")?.isModule, true);
    assert.equal(index.bySource.get("_drafts/later/post.md")?.published, false);
  });

  it("keeps folders without a page in the addresses below", () => {
    assert.equal(index.bySource.get("empty/deep/post.md")?.route, "/empty/deep");
  });
});
