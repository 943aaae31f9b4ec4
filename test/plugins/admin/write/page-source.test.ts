import assert from "node:assert/strict";
import { contentPath } from "../../../../plugins/admin/write/page-source.js";

describe("paths", () => {
  it("may start with content/", () =>
    assert.equal(contentPath("content/a.md"), contentPath("a.md")));
});
