import assert from "node:assert/strict";
import { languageName } from "#theme";

describe("languageName", () => {
  it("is what those who read the language call it", () => {
    assert.equal(languageName("de"), "Deutsch");
    assert.equal(languageName("fr"), "français");
  });

  it("is the value itself where the language is none", () => {
    assert.equal(languageName("no such language"), "no such language");
    assert.equal(languageName("xx"), "xx");
  });
});
