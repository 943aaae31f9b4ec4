import assert from "node:assert/strict";
import fc from "fast-check";
import { findMatches } from "../../../../plugins/search/query/excerpt.js";
import { foldWord, isTerm, queryTerms, stripEnds } from "../../../../plugins/search/query/terms.js";

describe("matching words of a text", () => {
  it("are those whose folded form starts with a term, in order and without overlap, in any text", () => {
    const unit = fc.constantFrom(
      "a",
      "n",
      "T",
      " ",
      "\u00a0",
      "é",
      "e\u0301",
      "İ",
      "ß",
      ".",
      "(",
      "'",
      "м",
      "\ud800",
      "🎉",
    );
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 40 }),
        fc.constantFrom("an", "ta", "at", "na", "éa", "мм"),
        (text, query) => {
          const terms = queryTerms(query);
          const matches = findMatches(text, terms);
          const words = [...text.matchAll(/\S+/gu)].filter(
            ([word]) =>
              isTerm(foldWord(word)) && terms.some((term) => foldWord(word).startsWith(term)),
          );
          assert.deepEqual(
            matches.map(({ start, end }) => text.slice(start, end)),
            words.map(([word]) => stripEnds(word)),
          );
          matches.forEach(({ start }, at) =>
            assert.ok(at === 0 || start >= (matches[at - 1]?.end ?? 0)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are limited to the first 100,000 characters", () => {
    assert.equal(findMatches(`${" ".repeat(200_000)}apple`, ["apple"]).length, 0);
    assert.equal(findMatches("a".repeat(1_000_000), ["apple"]).length, 0);
  });
});
