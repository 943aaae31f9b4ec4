import assert from "node:assert/strict";
import { FacetCounter } from "../../../../../plugins/search/engines/builtin/run-query.js";
import { sampleDocument } from "../../../../../plugins/search/testing/engine-suite.js";
import { segmentOf } from "../../../../support/content/segments.js";

const page = (route: string, colour: string[]) => sampleDocument({ route, facets: { colour } });

describe("counts of facet values", () => {
  it("add up over segments with different dictionaries, most frequent first", () => {
    const counter = new FacetCounter(["colour", "none", "__proto__"]);
    for (const pages of [
      [page("/a", ["red", "blue"]), page("/b", ["green"])],
      [page("/c", ["blue"]), page("/d", [])],
    ]) {
      const segment = segmentOf(pages);
      counter.begin(segment);
      for (let doc = 0; doc < segment.size; doc++) counter.countAll(doc);
      counter.end();
    }
    const { colour, none } = counter.result();
    assert.deepEqual(Object.entries(colour ?? {}), [
      ["blue", 2],
      ["green", 1],
      ["red", 1],
    ]);
    assert.deepEqual(none, {});
  });

  it("omit values without a match", () => {
    const counter = new FacetCounter(["colour"]);
    counter.begin(segmentOf([page("/a", ["red"]), page("/b", ["blue"])]));
    counter.count(1, 0);
    counter.end();
    assert.deepEqual(counter.result(), { colour: { blue: 1 } });
  });
});
