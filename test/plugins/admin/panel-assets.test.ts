import assert from "node:assert/strict";
import { panelStyle } from "../../../plugins/admin/panel-assets.js";

describe("panelStyle", () => {
  it("is named by its digest and loads nothing external", () => {
    const { name, text } = panelStyle();
    assert.match(name, /^admin\.[0-9a-f]{10}\.css$/);
    assert.doesNotMatch(text, /@import|url\(/);
  });
});
