import assert from "node:assert/strict";
import { renderDocument } from "../../../../plugins/render/page/render-html.js";

describe("renderDocument", () => {
  it("escapes the title and the language", () => {
    const html = renderDocument({ title: "</title><script>", body: "", lang: `"><script>` });
    assert.doesNotMatch(html, /<script/);
  });

  it("links its style, or contains it when there is a nonce", () => {
    assert.match(renderDocument({ title: "", body: "" }), /<link rel="stylesheet"/);
    assert.match(renderDocument({ title: "", body: "", nonce: "abc=" }), /<style nonce="abc=">/);
  });
});
