import assert from "node:assert/strict";
import { isHarmless } from "../../../../plugins/markdown/render/render-limit.js";
import { hostileMarkdown } from "../../../support/hostile/hostile-markdown.js";

// Those that take no longer than plain text of the same size.
const LINEAR = new Set([
  "headings",
  "white space",
  "NUL",
  "escapes",
  "nested lists",
  "bare mail addresses",
]);

describe("isHarmless", () => {
  it("accepts ordinary small pages", () => {
    assert.ok(isHarmless(""));
    assert.ok(
      isHarmless("# Title\n\nText with *marks* and [links](a.md).\n\n- one\n  - two\n".repeat(10)),
    );
    assert.ok(isHarmless(`> - 1. deep\n\n${"words and words ".repeat(200)}`));
  });

  it("rejects bodies of more than 4 KB", () => {
    assert.ok(!isHarmless("a ".repeat(2049)));
  });

  it("rejects many marks, many lines and deep nesting", () => {
    assert.ok(!isHarmless("*_".repeat(101)));
    assert.ok(!isHarmless("a\n".repeat(151)));
    assert.ok(!isHarmless(`${"> ".repeat(9)}a`));
    assert.ok(!isHarmless(`text\n${"1. ".repeat(9)}a`));
  });

  it("rejects every slow hostile document of 4 KB", () => {
    for (const [name, source] of Object.entries(hostileMarkdown(4000))) {
      if (!LINEAR.has(name)) assert.ok(!isHarmless(source), name);
    }
  });
});
