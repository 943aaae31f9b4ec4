import assert from "node:assert/strict";
import { cx } from "#theme";

describe("cx", () => {
  it("joins non-empty names", () => {
    assert.equal(cx("a", false, null, undefined, "", "b"), "a b");
    assert.equal(cx(false), undefined);
  });
});
