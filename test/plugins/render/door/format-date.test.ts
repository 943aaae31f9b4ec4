import assert from "node:assert/strict";
import { formatDate } from "#theme";

describe("formatDate", () => {
  it("writes a day in the words of the language, and never another day", () => {
    assert.equal(formatDate("2026-03-01", "en"), "March 1, 2026");
    assert.equal(formatDate("2026-03-01", "de"), "1. März 2026");
  });

  it("answers what it cannot read as it is", () => {
    assert.equal(formatDate("soon"), "soon");
    assert.equal(formatDate(null), "");
    assert.equal(formatDate("2026-03-01", "no such language"), "March 1, 2026");
  });
});
