import assert from "node:assert/strict";
import { canParseUrl } from "#lib/urls";

describe("canParseUrl", () => {
  it("returns the same result for each call, for letters of any script", () => {
    for (let at = 0; at < 50_000; at += 1) canParseUrl("https://example.org/plain");
    for (const url of ["https://ä.example/ü", "https://例え.example/", "https://example.org/é"]) {
      for (let at = 0; at < 1_000; at += 1) assert.equal(canParseUrl(url), true, url);
    }
  });

  it("accepts a base, and rejects an invalid URL", () => {
    assert.equal(canParseUrl("/ü", "http://site.invalid"), true);
    for (const url of ["", "/x", "http://", "https://a b"])
      assert.equal(canParseUrl(url), false, url);
  });
});
