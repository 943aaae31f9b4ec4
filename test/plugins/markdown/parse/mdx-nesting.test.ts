import assert from "node:assert/strict";
import { assertShallowExpressions } from "../../../../plugins/markdown/formats/mdx.js";

describe("nesting of expressions in MDX", () => {
  for (const [open, close] of [
    ["<b>{", "}</b>"],
    ["<b a={", "}/>"],
    ["{`$", "`}"],
    ["{[", "]}"],
  ] as const) {
    it(`is rejected when it is deep: ${open}`, () => {
      const nested = (depth: number): string => `a ${open.repeat(depth)}1${close.repeat(depth)}`;
      assert.throws(() => assertShallowExpressions(nested(201)), {
        name: "RangeError",
        message: "the expressions are nested deeper than 200 levels",
      });
      assertShallowExpressions(nested(50));
    });
  }

  it("is rejected within one expression", () => {
    assert.throws(() => assertShallowExpressions(`{${"[".repeat(201)}`), RangeError);
    assert.throws(() => assertShallowExpressions(`{f${"(".repeat(201)}`), RangeError);
  });

  it("is not counted in text, nor across expressions side by side", () => {
    assertShallowExpressions(":( ".repeat(1000));
    assertShallowExpressions("{f(1)} } {[1]} ) ".repeat(1000));
  });
});
