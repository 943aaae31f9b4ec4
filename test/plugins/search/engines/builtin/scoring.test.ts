import assert from "node:assert/strict";
import fc from "fast-check";
import { Scorer } from "../../../../../plugins/search/engines/builtin/add-scores.js";
import { Slots } from "../../../../../plugins/search/engines/builtin/segment.js";
import { createPoints } from "../../../../../plugins/search/query/score.js";
import { naiveSearch } from "../../../../support/oracles/naive-search.js";
import { arbitraryCorpus, arbitraryQuery } from "../../../../support/content/search-corpora.js";
import { segmentOf } from "../../../../support/content/segments.js";
import { toQuery } from "../../../../../plugins/search/testing/engine-suite.js";

describe("the scores of a segment", () => {
  it("equal the default scores, for repeated queries with the same scorer", () => {
    fc.assert(
      fc.property(
        arbitraryCorpus,
        fc.array(arbitraryQuery, { maxLength: 3 }),
        (documents, queries) => {
          const slots = new Slots();
          const segment = segmentOf(documents, slots);
          const scorer = new Scorer(createPoints({ note: { weight: 2 } }), slots);
          for (const { text, terms } of queries.filter((query) => query.terms.length > 0)) {
            const scored = scorer.score(segment, terms, text);
            const found = [...scored.docs.subarray(0, scored.count)].map(
              (doc) => [segment.routes[doc], scored.scoreOf(doc)] as const,
            );
            scorer.clear();
            const query = toQuery(text, { limit: 99, access: ["", "member"] });
            const expected = naiveSearch(documents, query, { note: 2 }).hits.map(
              ({ route, score }) => [route, score] as const,
            );
            assert.deepEqual(
              new Map(found.filter(([, score]) => score > 0).toSorted()),
              new Map(expected.toSorted()),
            );
          }
        },
      ),
    );
  });
});
