import assert from "node:assert/strict";
import { languageName } from "#theme";

describe("languageName", () => {
  it("returns the language's own name", () => {
    assert.equal(languageName("de"), "Deutsch");
    assert.equal(languageName("fr"), "français");
  });

  it("returns the value itself for an invalid language", () => {
    assert.equal(languageName("no such language"), "no such language");
    assert.equal(languageName("xx"), "xx");
  });
});
