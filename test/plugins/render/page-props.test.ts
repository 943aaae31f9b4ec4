import assert from "node:assert/strict";
import { documentTitle } from "../../../plugins/render/page-props.js";

describe("documentTitle", () => {
  it("says what it is, then whose, each once", () => {
    assert.equal(documentTitle("About", "Site"), "About | Site");
    assert.equal(documentTitle("Search: x | Site", "Site"), "Search: x | Site");
    assert.equal(documentTitle("Site", "Site"), "Site");
    assert.equal(documentTitle("", "Site"), "Site");
  });
});
