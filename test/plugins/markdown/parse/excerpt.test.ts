import assert from "node:assert/strict";
import fc from "fast-check";
import { cutAtWord, cutExcerpt, type ExcerptSource } from "../../../../plugins/markdown/service.js";

const source = (text: string, frontmatter: Record<string, unknown> = {}): ExcerptSource => ({
  title: "Title",
  frontmatter,
  text: () => text,
});

describe("an excerpt", () => {
  it("is the summary of the front matter when there is one", () => {
    assert.equal(cutExcerpt(source("text", { summary: " Sum " })), "Sum");
  });

  it("is cut at the last space before its size, and marked", () => {
    assert.equal(cutExcerpt(source("one two three"), 9), "one two…");
    assert.equal(cutExcerpt(source("one two three"), 7), "one two…");
    assert.equal(cutExcerpt(source("one two"), 7), "one two");
  });

  it("has 300 characters unless the front matter says otherwise", () => {
    const long = "word ".repeat(100);
    assert.ok(cutExcerpt(source(long)).length <= 301);
    assert.equal(cutExcerpt(source(long, { summary: { size: 9 } })), "word word…");
    assert.ok(cutExcerpt(source(long, { summary: { size: -1 } })).length > 250);
  });

  it("joins lines, and falls back to the title", () => {
    assert.equal(cutExcerpt(source("a\nb")), "a b");
    assert.equal(cutExcerpt(source(" \n")), "Title");
  });

  it("never exceeds its size and never splits a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme-composite" }),
        fc.integer({ min: 1, max: 50 }),
        (text, size) => {
          const cut = cutAtWord(text, size);
          assert.ok(cut.length <= Math.max(size + 1, 1));
          assert.doesNotMatch(cut, /[\ud800-\udbff](?![\udc00-\udfff])/);
        },
      ),
    );
  });
});
