import assert from "node:assert/strict";
import fc from "fast-check";
import { explainDocument } from "../../../../../plugins/search/engines/builtin/builtin-engine.js";
import { createPoints } from "../../../../../plugins/search/query/score.js";
import { Slots } from "../../../../../plugins/search/engines/builtin/segment.js";
import { naiveSearch } from "../../../../support/oracles/naive-search.js";
import { arbitraryCorpus, arbitraryQuery } from "../../../../support/content/search-corpora.js";
import { segmentOf } from "../../../../support/content/segments.js";
import { toQuery } from "../../../../../plugins/search/testing/engine-suite.js";

describe("the explanation of a score", () => {
  it("adds up to the score of every document, and is null without a match", () => {
    fc.assert(
      fc.property(arbitraryCorpus, arbitraryQuery, (documents, { text, terms }) => {
        fc.pre(terms.length > 0);
        const query = toQuery(text, { limit: 99, access: ["", "member"] });
        const scores = new Map(
          naiveSearch(documents, query).hits.map(({ route, score }) => [route, score]),
        );
        const slots = new Slots();
        const segment = segmentOf(documents, slots);
        for (const [route, doc] of segment.byRoute) {
          const explained = explainDocument({ segment, doc }, query, createPoints({}), slots);
          assert.equal(explained?.score, scores.get(route), route);
        }
      }),
    );
  });
});
