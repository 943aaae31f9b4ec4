import assert from "node:assert/strict";
import fc from "fast-check";
import {
  compareRecency,
  orderedCounts,
  selectCandidates,
} from "../../../../plugins/search/query/select.js";
import { sampleDocument, toQuery } from "../../../../plugins/search/testing/engine-suite.js";
import { naiveSearch } from "../../../support/oracles/naive-search.js";
import {
  arbitraryCorpus,
  arbitraryQuery,
  assertSameAnswer,
} from "../../../support/content/search-corpora.js";

describe("the selection among candidates", () => {
  it("equals a naive implementation, for any filters, order and slice", () => {
    fc.assert(
      fc.property(arbitraryCorpus, arbitraryQuery, (documents, query) => {
        const all = naiveSearch(
          documents,
          toQuery(query.text, { limit: 99, access: ["", "member"] }),
        );
        const scores = new Map(all.hits.map(({ route, score }) => [route, score]));
        const candidates = documents.map((document) => ({
          document,
          score: scores.get(document.route) ?? 0,
        }));
        assertSameAnswer(selectCandidates(candidates, query), naiveSearch(documents, query));
      }),
    );
  });

  it("counts no hidden documents", () => {
    const document = sampleDocument({ route: "/a", access: "member", facets: { colour: ["red"] } });
    const query = toQuery("", { facets: ["colour"] });
    assert.deepEqual(selectCandidates([{ document, score: 1 }], query), {
      total: 0,
      hits: [],
      facets: { colour: {} },
    });
  });

  for (const name of ["__proto__", "constructor", "toString"]) {
    it(`does not find an inherited ${name}`, () => {
      const filters = { taxonomy: Object.fromEntries([[name, ["x"]]]), facets: {} };
      const candidates = [{ document: sampleDocument({ route: "/a" }), score: 1 }];
      assert.equal(selectCandidates(candidates, toQuery("", { filters, facets: [name] })).total, 0);
    });
  }

  it("excludes undated documents from any range of days", () => {
    const candidates = [{ document: sampleDocument({ route: "/a" }), score: 1 }];
    for (const range of [{ from: "0000-01-01" }, { to: "9999-12-31" }]) {
      assert.equal(
        selectCandidates(
          candidates,
          toQuery("", { filters: { taxonomy: {}, facets: {}, ...range } }),
        ).total,
        0,
      );
    }
  });
});

describe("the order of equal scores", () => {
  it("is newest first, undated last, then by route", () => {
    const rows = [
      { route: "/b", date: null },
      { route: "/a", date: null },
      { route: "/z", date: "2025-01-01" },
      { route: "/y", date: "2025-01-02" },
      { route: "/c", date: "2025-01-01" },
    ];
    assert.deepEqual(
      rows.toSorted(compareRecency).map(({ route }) => route),
      ["/y", "/c", "/z", "/a", "/b"],
    );
    assert.equal(compareRecency({ route: "/a", date: null }, { route: "/a", date: null }), 0);
  });
});

describe("counts of facets", () => {
  it("are ordered by number, then by text", () => {
    const counts = orderedCounts([
      ["b", 1],
      ["a", 1],
      ["__proto__", 1],
      ["c", 2],
    ]);
    assert.deepEqual(Object.entries(counts), [
      ["c", 2],
      ["__proto__", 1],
      ["a", 1],
      ["b", 1],
    ]);
  });
});
