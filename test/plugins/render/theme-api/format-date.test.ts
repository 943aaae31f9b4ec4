import assert from "node:assert/strict";
import { formatDate } from "#theme";

describe("formatDate", () => {
  it("formats a day in the given language, and never changes the day", () => {
    assert.equal(formatDate("2026-03-01", "en"), "March 1, 2026");
    assert.equal(formatDate("2026-03-01", "de"), "1. März 2026");
  });

  it("returns an invalid date unchanged", () => {
    assert.equal(formatDate("soon"), "soon");
    assert.equal(formatDate(null), "");
    assert.equal(formatDate("2026-03-01", "no such language"), "March 1, 2026");
  });
});
