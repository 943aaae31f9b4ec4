import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isBetter,
  TopHits,
  type Hit,
} from "../../../../../plugins/search/engines/builtin/run-query.js";
import { sampleDocument } from "../../../../../plugins/search/testing/engine-suite.js";
import { segmentOf } from "../../../../support/content/segments.js";

const dates = ["2024-01-01", null, "2023-01-01", "2024-01-01"];
const segments = ["a", "b"].map((name) =>
  segmentOf(dates.map((date, at) => sampleDocument({ route: `/${at}${name}`, date }))),
);
const nameOf = ({ segment, doc }: Hit): string => segment.routes[doc] ?? "";

describe("the best hits", () => {
  it("equal those of a full sort, for any limit and order of arrival", () => {
    const arrival = fc.shuffledSubarray(
      segments.flatMap((segment) => dates.map((_, doc) => ({ segment, doc }))),
    );
    fc.assert(
      fc.property(
        arrival,
        fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }),
        fc.nat(9),
        (places, scores, limit) => {
          const hits: Hit[] = places.map((place, at) => ({ ...place, score: scores[at] ?? 0 }));
          const top = new TopHits(limit);
          for (const { segment, doc, score } of hits) top.add(segment, doc, score);
          const expected = hits.toSorted((a, b) => (isBetter(a, b) ? -1 : 1)).slice(0, limit);
          assert.deepEqual(top.sorted().map(nameOf), expected.map(nameOf));
        },
      ),
    );
  });

  it("of equal score are newest first, undated last, then by route, within and across segments", () => {
    const top = new TopHits(8);
    for (const segment of segments) for (const doc of dates.keys()) top.add(segment, doc, 1);
    assert.deepEqual(top.sorted().map(nameOf), [
      "/0a",
      "/0b",
      "/3a",
      "/3b",
      "/2a",
      "/2b",
      "/1a",
      "/1b",
    ]);
  });
});
