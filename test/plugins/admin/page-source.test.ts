import assert from "node:assert/strict";
import {
  contentPath,
  frontMatterOf,
  isCode,
  isPublic,
} from "../../../plugins/admin/page-source.js";

describe("isPublic", () => {
  for (const [frontmatter, expected] of [
    [{}, true],
    [{ published: true }, true],
    [{ status: "published" }, true],
    [{ published: false }, false],
    [{ published: "false" }, false],
    [{ status: "draft" }, false],
    [{ status: "in_review", published: true }, false],
    [{ status: null }, true],
  ] as const) {
    it(`is ${expected} for ${JSON.stringify(frontmatter)}`, () =>
      assert.equal(isPublic(frontmatter), expected));
  }
});

describe("frontMatterOf", () => {
  it("reads the front matter of any text, and nothing of none or broken", () => {
    assert.deepEqual(frontMatterOf("---\ntitle: A\n---\nbody"), { title: "A" });
    assert.deepEqual(frontMatterOf("\uFEFF---\r\ntitle: A\r\n---\r\n"), { title: "A" });
    assert.deepEqual(frontMatterOf("---\n---\n"), {});
    for (const raw of ["", "body", "---\na: [\n---\n", "---\n- a\n---\n", "---\ntitle: A\n"])
      assert.deepEqual(frontMatterOf(raw), {});
  });
});

describe("paths", () => {
  it("may begin with content/", () =>
    assert.equal(contentPath("content/a.md"), contentPath("a.md")));
  it("that are code are known", () => {
    for (const path of ["a.tsx", "a.MDX", "b/c.js"]) assert.ok(isCode(path));
    for (const path of ["a.md", "tsx", "a.tsx.md"]) assert.ok(!isCode(path));
  });
});
