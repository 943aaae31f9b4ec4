import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldWord,
  isTerm,
  normalizeText,
  queryTerms,
  tokenize,
} from "../../../../plugins/search/query/terms.js";

describe("tokenize", () => {
  const cases: readonly [text: string, terms: string[]][] = [
    ["Hello, (World)!", ["hello", "world"]],
    ["Crème BRÛLÉE Straße Łódź", ["creme", "brulee", "strasse", "lodz"]],
    ["don't state-of-the-art a.b", ["don't", "state-of-the-art", "a.b"]],
    ["a I 7 ok 42", ["ok", "42"]],
    ["Привет ΟΔΟΣ 東京 हिन्दी한국", ["привет", "οδοσ", "東京", "हिन्दी한국"]],
    ["がぎ ｱｲ ﬁne", ["がぎ", "アイ", "fine"]],
    ["İstanbul ISTANBUL ıstanbul", ["istanbul", "istanbul", "istanbul"]],
    ["so\u00adft ze\u200bro nu\0l", ["soft", "zero", "nul"]],
    ["\ud83d ab\ud83d 😀 x😀y", ["ab", "x😀y"]],
    ["--- … ** _em_ `code`", ["em", "code"]],
  ];
  for (const [text, terms] of cases) {
    it(`returns ${JSON.stringify(terms)} for ${JSON.stringify(text)}`, () =>
      assert.deepEqual(tokenize(text), terms));
  }

  it("returns terms that do not change when folded again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const term of tokenize(text)) assert.ok(term.startsWith(foldWord(term)), term);
      }),
    );
  });

  it("takes linear time for rulers, marks and endless words", () => {
    for (const text of [
      "-".repeat(300_000) + "a",
      "a" + "\u0301".repeat(300_000),
      "ﷺ".repeat(20_000),
      ("…".repeat(999) + "a").repeat(300),
    ]) {
      assert.ok(tokenize(text).every((term) => term.length <= 64));
    }
  });
});

describe("queryTerms", () => {
  it("keeps each term once, in order", () =>
    assert.deepEqual(queryTerms("to be or TO be"), ["to", "be", "or"]));
  it("is limited to 256 characters and 16 terms", () => {
    assert.equal(
      queryTerms(Array.from({ length: 2000 }, (_, at) => `w${at}`).join(" ")).length,
      16,
    );
    assert.equal(queryTerms("x ".repeat(200) + "late").length, 0);
  });
});

describe("normalizeText", () => {
  it("keeps short words and joins with one space", () =>
    assert.equal(normalizeText("  A  Plan, (B)! "), "a plan b"));
});

describe("isTerm", () => {
  it("counts characters, not UTF-16 units", () => {
    assert.equal(isTerm("𠀀"), false);
    assert.equal(isTerm("𠀀𠀁"), true);
    assert.equal(isTerm("ab"), true);
    assert.equal(isTerm("a"), false);
  });
});
