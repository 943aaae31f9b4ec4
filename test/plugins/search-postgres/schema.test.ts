import assert from "node:assert/strict";
import fc from "fast-check";
import { afterPrefix, clean, cleanLists } from "../../../plugins/search-postgres/schema.js";

describe("text for PostgreSQL", () => {
  it("holds no NUL and no lone surrogate, and is else the same", () => {
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
    it(`is ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () =>
      assert.equal(clean(text), expected));
  }

  it("is cleaned in names and values of lists", () => {
    assert.deepEqual(cleanLists({ "t\0": ["a\0", "b"] }), { t: ["a", "b"] });
  });
});

describe("the end of a prefix", () => {
  it("lies behind every term that begins with it, and before the next prefix, in the order of bytes", () => {
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
