import assert from "node:assert/strict";
import { parseQuery } from "../../../../plugins/search/query/parse-query.js";

const read = (text: string) => {
  const { terms, extended } = parseQuery(text, "extended");
  const { phrases = [], notPhrases = [], notTerms = [] } = extended ?? {};
  return { terms, phrases, notPhrases, notTerms };
};
const nothing = { terms: [], phrases: [], notPhrases: [], notTerms: [] };

describe("extended search syntax", () => {
  for (const [text, expected] of [
    ["green tea", { terms: ["green", "tea"] }],
    ['"Green Tea" cup', { terms: ["green", "tea", "cup"], phrases: ["green tea"] }],
    ["“green tea”, cup", { terms: ["green", "tea", "cup"], phrases: ["green tea"] }],
    ['"vitamin C"', { terms: ["vitamin"], phrases: ["vitamin c"] }],
    ["tea -Black", { terms: ["tea"], notTerms: ["black"] }],
    ['tea -"black cup"', { terms: ["tea"], notPhrases: ["black cup"] }],
    ["-tea", { notTerms: ["tea"] }],
    ["well-known -- - x", { terms: ["well-known"] }],
    ['"open quote', { terms: ["open", "quote"] }],
    ['"" "!" "c"', {}],
    ["-c tea", { terms: ["tea"] }],
  ] as const) {
    it(`reads ${text}`, () => assert.deepEqual(read(text), { ...nothing, ...expected }));
  }

  it("is off in plain syntax", () => {
    const { text, terms, extended } = parseQuery('"green tea" -black', "plain");
    assert.deepEqual(
      { text, terms, extended },
      { text: '"green tea" -black', terms: ["green", "tea", "black"], extended: null },
    );
  });

  it("reads at most 256 characters, 16 words, 8 phrases and 16 exclusions", () => {
    const many = (make: (at: number) => string) =>
      Array.from({ length: 90 }, (_, at) => make(at)).join(" ");
    assert.equal(read(many((at) => `"a${at % 10}"`)).phrases.length, 8);
    assert.equal(read(many((at) => `-${at}a`)).notTerms.length, 16);
    assert.equal(read(`${" ".repeat(256)}-tea`).notTerms.length, 0);
  });
});
