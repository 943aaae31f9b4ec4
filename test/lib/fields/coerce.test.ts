import assert from "node:assert/strict";
import { coerceValue, isEmpty } from "#lib/fields";
import { flexField } from "../../support/content/flex-type.js";

describe("isEmpty", () => {
  it("is true for undefined, null, the empty text and the empty list", () => {
    assert.deepEqual([undefined, null, "", [], 0, false, " ", {}].map(isEmpty), [
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("coerceValue", () => {
  const cases = [
    ["number", "42", 42],
    ["number", " -1.5 ", -1.5],
    ["number", "4x", "4x"],
    ["number", " ", " "],
    ["number", "Infinity", "Infinity"],
    ["toggle", "on", true],
    ["toggle", "true", true],
    ["toggle", 1, true],
    ["toggle", "false", false],
    ["toggle", 0, false],
    ["toggle", false, false],
    ["toggle", "perhaps", "perhaps"],
    ["list", "one", ["one"]],
    ["list", ["a", "b"], ["a", "b"]],
    ["date", "2026-01-02T03:04:05Z", "2026-01-02"],
    ["date", "2026-01-02", "2026-01-02"],
    ["date", "soon", "soon"],
    ["text", 2024, "2024"],
    ["select", 7, "7"],
    ["markdown", "# x", "# x"],
    ["text", ["x"], ["x"]],
  ] as const;
  for (const [type, given, kept] of cases) {
    it(`keeps ${JSON.stringify(given)} of a ${type} as ${JSON.stringify(kept)}`, () => {
      assert.deepEqual(coerceValue(flexField("a", type), given), kept);
    });
  }

  it("uses the default for a missing value, else omits it", () => {
    for (const nothing of [undefined, null, "", []]) {
      assert.equal(coerceValue(flexField("a", "text", { default: "x" }), nothing), "x");
      assert.equal(coerceValue(flexField("a", "text"), nothing), undefined);
    }
    assert.equal(coerceValue(flexField("a", "toggle", { default: true }), false), false);
  });
});
