import assert from "node:assert/strict";
import { getSearchUrl } from "#theme";

describe("getSearchUrl", () => {
  it("encodes the query", () => {
    assert.equal(getSearchUrl("a b&c"), "/search?q=a%20b%26c");
  });
});
