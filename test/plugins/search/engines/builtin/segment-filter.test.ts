import assert from "node:assert/strict";
import {
  passes,
  refused,
  SegmentFilter,
} from "../../../../../plugins/search/engines/builtin/segment-filter.js";
import type { SearchFilters } from "../../../../../plugins/search/contract.js";
import { sampleDocument } from "../../../../../plugins/search/testing/sample-documents.js";
import { toQuery } from "../../../../../plugins/search/testing/sample-queries.js";
import { bury, segmentOf } from "../../../../support/segments.js";

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
    [{}, passes],
    [{ template: "default" }, passes],
    [{ template: "post" }, refused],
    [{ from: "2024-05-05", to: "2024-05-05" }, passes],
    [{ from: "2024-05-06" }, refused],
    [{ to: "2024-05-04" }, refused],
    [{ taxonomy: { tag: ["y", "x"] } }, passes],
    [{ taxonomy: { tag: ["y"] } }, refused],
    [{ taxonomy: { constructor: ["x"] } }, refused],
    [{ facets: { colour: ["blue"] } }, 1],
    [{ facets: { size: ["large"] } }, 0],
    [{ facets: { size: ["large"], colour: ["blue"] } }, refused],
    [{ facets: { size: ["large"] }, template: "post" }, refused],
    [{ facets: { weight: ["1"] } }, refused],
  ] as const) {
    it(`return ${expected} for ${JSON.stringify(filters)}`, () =>
      assert.equal(verdict(filters), expected));
  }

  it("reject a document without a matching access key", () => {
    const gated = { ...page, access: "member" };
    assert.equal(verdict({}, {}, gated), refused);
    assert.equal(verdict({}, { access: ["", "member"] }, gated), passes);
  });

  it("exclude undated documents from any range", () => {
    for (const range of [{ from: "0001-01-01" }, { to: "9999-12-31" }])
      assert.equal(verdict(range, {}, { ...page, date: null }), refused);
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
    assert.equal(new SegmentFilter(segment, toQuery("")).check(0), refused);
  });
});
