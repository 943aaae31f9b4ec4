import assert from "node:assert/strict";
import { findSimilar, type Matching } from "../../../../plugins/search/similar/find-similar.js";
import { Synonyms } from "../../../../plugins/search/similar/synonyms.js";

describe("similar documents of a query of several words", () => {
  it("need one search for all the words that contain a term", async () => {
    const compounds = Array.from({ length: 50 }, (_, at) => `word${at}-art`);
    const asked: (readonly string[])[] = [];
    const find = async (terms: readonly string[]): Promise<Matching> => {
      asked.push(terms);
      const isOther = terms.length === 1 && terms[0] === "kiln";
      const routes = terms.includes("kiln") ? ["/other", "/part"] : ["/part"];
      return {
        total: routes.length,
        hits: (isOther ? ["/other"] : routes).map((route) => ({ route, score: 1 })),
      };
    };
    const { hits } = await findSimilar(
      {
        typo: false,
        stem: null,
        synonyms: new Synonyms([]),
        words: () => [],
        compounds: async () => compounds,
        find,
        compare: () => 0,
      },
      { text: "art kiln", terms: ["art", "kiln"], total: 0, shown: new Set(), limit: 10 },
    );
    assert.deepEqual(
      hits.map(({ route }) => route),
      ["/part"],
    );
    assert.equal(asked.filter((terms) => terms.every((term) => term.endsWith("-art"))).length, 1);
  });
});
