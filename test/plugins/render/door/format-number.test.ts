import assert from "node:assert/strict";
import { formatNumber } from "#theme";

describe("formatNumber", () => {
  it("writes a number as the language does", () => {
    assert.equal(formatNumber(1234.5), "1,234.5");
    assert.equal(formatNumber(1234.5, "de"), "1.234,5");
  });

  it("takes English where the language is none", () => {
    assert.equal(formatNumber(1234.5, "no such language"), "1,234.5");
  });
});
