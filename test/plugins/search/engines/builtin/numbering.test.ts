import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { gone, renumber } from "../../../../../plugins/search/engines/builtin/merge.js";
import { sampleDocument } from "../../../../../plugins/search/testing/engine-suite.js";
import { bury, segmentOf } from "../../../../support/content/segments.js";

const page = (route: string, date: string | null) => sampleDocument({ route, date });

describe("the numbers of documents in a merged segment", () => {
  it("are ordered by date, newest first, then by route, without removed documents", () => {
    const left = segmentOf([page("/a", "2024-05-01"), page("/c", null), page("/e", "2020-01-01")]);
    const right = segmentOf([page("/b", "2024-05-01"), page("/d", "2022-01-01")]);
    bury(left, "/e");
    const { size, sides, docs, maps } = runAtOnce(renumber([left, right]));
    const routes = Array.from({ length: size }, (_, at) => {
      const segment = sides[at] === 0 ? left : right;
      return segment.routes[docs[at] ?? gone];
    });
    assert.deepEqual(routes, ["/a", "/b", "/d", "/c"]);
    assert.deepEqual(maps, [Uint32Array.of(0, gone, 3), Uint32Array.of(1, 2)]);
  });
});
