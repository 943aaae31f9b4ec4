import assert from "node:assert/strict";
import { formatNumber } from "#theme";

describe("formatNumber", () => {
  it("formats a number in the given language", () => {
    assert.equal(formatNumber(1234.5), "1,234.5");
    assert.equal(formatNumber(1234.5, "de"), "1.234,5");
  });

  it("uses English for an invalid language", () => {
    assert.equal(formatNumber(1234.5, "no such language"), "1,234.5");
  });
});
