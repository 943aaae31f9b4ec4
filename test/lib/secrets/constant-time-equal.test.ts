import assert from "node:assert/strict";
import fc from "fast-check";
import { constantTimeEqual } from "#kernel";

describe("constantTimeEqual", () => {
  it("is equality, for strings of any length", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        assert.equal(constantTimeEqual(a, b), a === b);
        assert.equal(constantTimeEqual(a, `${a}`), true);
      }),
    );
    assert.equal(constantTimeEqual("", ""), true);
    assert.equal(constantTimeEqual("token", "token "), false);
  });
});
