import assert from "node:assert/strict";
import { builtInDocument } from "../../../plugins/auth/built-in-document.js";

describe("the built-in document", () => {
  it("escapes the title, and takes the body as it is", () => {
    const html = builtInDocument("</title><script>x</script>", "<p>body</p>");
    assert.ok(!html.includes("<script>"));
    assert.match(html, /^<!doctype html>.*<main><p>body<\/p><\/main><\/body><\/html>$/);
  });

  it("loads nothing from anywhere", () => {
    assert.ok(!/\b(src|href)=/.test(builtInDocument("Log in", "")));
  });
});
