import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { columnOf } from "../../../../../plugins/search/engines/builtin/segment.js";
import { mergeColumns, renumber } from "../../../../../plugins/search/engines/builtin/merge.js";
import { sampleDocument } from "../../../../../plugins/search/testing/engine-suite.js";
import { bury, segmentOf } from "../../../../support/content/segments.js";

const page = (route: string, taxonomy: Record<string, string[]>) =>
  sampleDocument({ route, taxonomy });

describe("the columns of two segments", () => {
  const left = segmentOf([page("/a", { tag: ["red", "blue"] }), page("/gone", { tag: ["old"] })]);
  const right = segmentOf([page("/b", { tag: ["blue"], kind: ["news"] }), page("/c", {})]);
  bury(left, "/gone");
  const pair = [left, right] as const;
  const merged = runAtOnce(mergeColumns(pair, runAtOnce(renumber(pair))));
  const valuesOf = (name: string): (string | undefined)[][] => {
    const column = merged.get(columnOf.taxonomy(name));
    assert.ok(column);
    return [0, 1, 2].map((doc) =>
      [...column.ids.subarray(column.starts[doc], column.starts[doc + 1])].map(
        (id) => column.values[id],
      ),
    );
  };

  it("keep the values of each document, even if only one segment has the column", () => {
    assert.deepEqual(valuesOf("tag"), [["red", "blue"], ["blue"], []]);
    assert.deepEqual(valuesOf("kind"), [[], ["news"], []]);
  });

  it("drop values that only removed documents have", () => {
    assert.deepEqual(merged.get(columnOf.taxonomy("tag"))?.values, ["red", "blue"]);
  });
});
