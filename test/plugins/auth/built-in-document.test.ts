import assert from "node:assert/strict";
import { builtInDocument, escapeHtml } from "../../../plugins/auth/built-in-document.js";

describe("the built-in document", () => {
  it("A23: text cannot leave an element or an attribute", () => {
    assert.equal(
      escapeHtml(`<img src=x onerror="a('&amp;')">`),
      "&lt;img src=x onerror=&quot;a(&#39;&amp;amp;&#39;)&quot;&gt;",
    );
    assert.equal(escapeHtml("Grüße 🎉 `$&"), "Grüße 🎉 `$&amp;");
  });

  it("A23: escapes the title, and takes the body as it is", () => {
    const html = builtInDocument("</title><script>x</script>", "<p>body</p>");
    assert.ok(!html.includes("<script>"));
    assert.match(html, /^<!doctype html>.*<main><p>body<\/p><\/main><\/body><\/html>$/);
  });

  it("A21: loads nothing from anywhere", () => {
    assert.ok(!/\b(src|href)=/.test(builtInDocument("Log in", "")));
  });
});
