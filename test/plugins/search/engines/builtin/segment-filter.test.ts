import assert from "node:assert/strict";
import {
  PASSES,
  REFUSED,
  SegmentFilter,
} from "../../../../../plugins/search/engines/builtin/run-query.js";
import type { SearchFilters } from "../../../../../plugins/search/contract.js";
import { sampleDocument, toQuery } from "../../../../../plugins/search/testing/engine-suite.js";
import { bury, segmentOf } from "../../../../support/content/segments.js";

const page = sampleDocument({
  route: "/a",
  date: "2024-05-05",
  facets: { colour: ["red"], size: ["small"] },
  taxonomy: { tag: ["x"] },
});
const verdict = (filters: Partial<SearchFilters>, rest = {}, document = page): number =>
  new SegmentFilter(
    segmentOf([document]),
    toQuery("", {
      facets: ["size", "colour"],
      filters: { taxonomy: {}, facets: {}, ...filters },
      ...rest,
    }),
  ).check(0);

describe("the filters of a query in a segment", () => {
  for (const [filters, expected] of [
    [{}, PASSES],
    [{ template: "default" }, PASSES],
    [{ template: "post" }, REFUSED],
    [{ from: "2024-05-05", to: "2024-05-05" }, PASSES],
    [{ from: "2024-05-06" }, REFUSED],
    [{ to: "2024-05-04" }, REFUSED],
    [{ taxonomy: { tag: ["y", "x"] } }, PASSES],
    [{ taxonomy: { tag: ["y"] } }, REFUSED],
    [{ taxonomy: { constructor: ["x"] } }, REFUSED],
    [{ facets: { colour: ["blue"] } }, 1],
    [{ facets: { size: ["large"] } }, 0],
    [{ facets: { size: ["large"], colour: ["blue"] } }, REFUSED],
    [{ facets: { size: ["large"] }, template: "post" }, REFUSED],
    [{ facets: { weight: ["1"] } }, REFUSED],
  ] as const) {
    it(`return ${expected} for ${JSON.stringify(filters)}`, () =>
      assert.equal(verdict(filters), expected));
  }

  it("reject a document without a matching access key", () => {
    const gated = { ...page, access: "member" };
    assert.equal(verdict({}, {}, gated), REFUSED);
    assert.equal(verdict({}, { access: ["", "member"] }, gated), PASSES);
  });

  it("exclude undated documents from any range", () => {
    for (const range of [{ from: "0001-01-01" }, { to: "9999-12-31" }])
      assert.equal(verdict(range, {}, { ...page, date: null }), REFUSED);
  });

  it("are open only when nothing can be rejected", () => {
    const segment = segmentOf([page]);
    const isOpen = (rest = {}): boolean => new SegmentFilter(segment, toQuery("", rest)).isOpen;
    assert.deepEqual(
      [isOpen(), isOpen({ access: [] }), isOpen({ lang: "en" })],
      [true, false, false],
    );
    bury(segment, "/a");
    assert.equal(isOpen(), false);
    assert.equal(new SegmentFilter(segment, toQuery("")).check(0), REFUSED);
  });
});
