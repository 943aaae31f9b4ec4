import assert from "node:assert/strict";
import fc from "fast-check";
import { findMatches, isSpace } from "../../../../plugins/search/query/excerpt.js";
import { foldWord, isTerm, queryTerms, stripEnds } from "../../../../plugins/search/query/terms.js";

const found = (text: string, query: string): string[] =>
  findMatches(text, queryTerms(query)).map(({ start, end }) => text.slice(start, end));

describe("matching words of a text", () => {
  for (const [text, query, words] of [
    ["Apple, apples (APPLE) pineapple", "apple", ["Apple", "apples", "APPLE"]],
    ["a crème-brûlée, Creme", "creme", ["crème-brûlée", "Creme"]],
    ["привет Мир", "мир", ["Мир"]],
    ["İstanbul apple", "apple", ["apple"]],
    ["one two", "tw on", ["one", "two"]],
    ["nothing", "", []],
    ["", "apple", []],
    ["(a+)+$ [x", "(a+)+$", []],
  ] as const) {
    it(`are ${JSON.stringify(words)} of ${JSON.stringify(text)} for ${JSON.stringify(query)}`, () => {
      assert.deepEqual(found(text, query), words);
    });
  }

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

describe("white space", () => {
  it("follows Unicode", () => {
    for (const space of " \t\n\u00a0\u2003\u3000")
      assert.equal(isSpace(space, 0), true, JSON.stringify(space));
    for (const other of "a.\0é\u200b")
      assert.equal(isSpace(other, 0), false, JSON.stringify(other));
  });
});
