import assert from "node:assert/strict";
import { contentPath, isCode } from "../../../../plugins/admin/write/page-source.js";

describe("paths", () => {
  it("may start with content/", () =>
    assert.equal(contentPath("content/a.md"), contentPath("a.md")));
  it("of code are recognised", () => {
    for (const path of ["a.tsx", "a.MDX", "b/c.js"]) assert.ok(isCode(path));
    for (const path of ["a.md", "tsx", "a.tsx.md"]) assert.ok(!isCode(path));
  });
});
