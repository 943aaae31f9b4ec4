import assert from "node:assert/strict";
import { builtInDocument } from "../../../../plugins/auth/routes/auth-pages.js";

describe("the built-in document", () => {
  it("escapes the title, but not the body", () => {
    const html = builtInDocument("</title><script>x</script>", "<p>body</p>");
    assert.ok(!html.includes("<script>"));
    assert.match(html, /^<!doctype html>.*<main><p>body<\/p><\/main><\/body><\/html>$/);
  });

  it("loads no external resources", () => {
    assert.ok(!/\b(src|href)=/.test(builtInDocument("Log in", "")));
  });
});
