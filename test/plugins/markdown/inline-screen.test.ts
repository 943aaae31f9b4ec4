import assert from "node:assert/strict";
import { isHarmless } from "../../../plugins/markdown/inline-screen.js";
import { hostileMarkdown } from "../../support/hostile-markdown.js";

// Those that take no more time than plain text of the same size.
const LINEAR = new Set([
  "headings",
  "white space",
  "NUL",
  "escapes",
  "nested lists",
  "bare mail addresses",
]);

describe("the screen for bodies rendered on the spot", () => {
  it("passes ordinary small pages", () => {
    assert.ok(isHarmless(""));
    assert.ok(
      isHarmless("# Title\n\nText with *marks* and [links](a.md).\n\n- one\n  - two\n".repeat(10)),
    );
    assert.ok(isHarmless(`> - 1. deep\n\n${"words and words ".repeat(200)}`));
  });

  it("refuses bodies of more than 4 KB", () => {
    assert.ok(!isHarmless("a ".repeat(2049)));
  });

  it("refuses many marks, many lines and deep nesting", () => {
    assert.ok(!isHarmless("*_".repeat(101)));
    assert.ok(!isHarmless("a\n".repeat(151)));
    assert.ok(!isHarmless(`${"> ".repeat(9)}a`));
    assert.ok(!isHarmless(`text\n${"1. ".repeat(9)}a`));
  });

  it("refuses every hostile document of 4 KB that is slow", () => {
    for (const [name, source] of Object.entries(hostileMarkdown(4000))) {
      if (!LINEAR.has(name)) assert.ok(!isHarmless(source), name);
    }
  });
});
