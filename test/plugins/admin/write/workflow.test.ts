import assert from "node:assert/strict";
import { allowedTransitions } from "../../../../plugins/admin/write/page-source.js";

describe("transitions", () => {
  it("are the specified ones", () => {
    assert.deepEqual(allowedTransitions("draft"), ["in_review", "published"]);
    assert.deepEqual(allowedTransitions("in_review"), ["published", "draft"]);
    assert.deepEqual(allowedTransitions("published"), ["archived", "draft"]);
    assert.deepEqual(allowedTransitions("archived"), ["draft"]);
  });
});
