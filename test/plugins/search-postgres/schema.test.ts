import assert from "node:assert/strict";
import fc from "fast-check";
import { afterPrefix, clean, cleanLists } from "../../../plugins/search-postgres/schema.js";

describe("text for PostgreSQL", () => {
  it("contains no NUL or lone surrogate, and is otherwise unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const cleaned = clean(text);
        assert.ok(!cleaned.includes("\0"));
        assert.equal(Buffer.from(cleaned).toString(), cleaned);
        if (!text.includes("\0") && !/\p{Surrogate}/u.test(text)) assert.equal(cleaned, text);
      }),
    );
  });

  for (const [text, expected] of [
    ["a\0b", "ab"],
    ["\ud800", "\ufffd"],
    ["🎉", "🎉"],
    ["\0\udc00\0", "\ufffd"],
  ] as const) {
    it(`turns ${JSON.stringify(text)} into ${JSON.stringify(expected)}`, () =>
      assert.equal(clean(text), expected));
  }

  it("is cleaned in names and values of lists", () => {
    assert.deepEqual(cleanLists({ "t\0": ["a\0", "b"] }), { t: ["a", "b"] });
  });
});

describe("the end of a prefix", () => {
  it("is after every term with it, and before the next prefix, in byte order", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ unit: "grapheme" }), (prefix, rest) => {
        const [low, term, high] = [prefix, prefix + rest, afterPrefix(prefix)].map((text) =>
          Buffer.from(text),
        );
        assert.ok(low && term && high && low.compare(term) <= 0 && term.compare(high) < 0);
      }),
    );
    assert.ok(Buffer.from(afterPrefix("ab")).compare(Buffer.from("ac")) < 0);
  });
});
