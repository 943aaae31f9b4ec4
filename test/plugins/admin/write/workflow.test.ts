import assert from "node:assert/strict";
import { allowedTransitions, transitionPatch } from "../../../../plugins/admin/write/workflow.js";

describe("transitions", () => {
  it("are the specified ones", () => {
    assert.deepEqual(allowedTransitions("draft"), ["in_review", "published"]);
    assert.deepEqual(allowedTransitions("in_review"), ["published", "draft"]);
    assert.deepEqual(allowedTransitions("published"), ["archived", "draft"]);
    assert.deepEqual(allowedTransitions("archived"), ["draft"]);
  });
  it("write `published` only if it is present", () => {
    assert.deepEqual(transitionPatch({ frontmatter: {} }, "draft"), { status: "draft" });
    assert.deepEqual(transitionPatch({ frontmatter: { published: false } }, "published"), {
      status: "published",
      published: true,
    });
    assert.deepEqual(transitionPatch({ frontmatter: { published: true } }, "archived"), {
      status: "archived",
      published: false,
    });
  });
});
