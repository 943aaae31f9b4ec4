import assert from "node:assert/strict";
import {
  ColumnBuilder,
  columnOf,
  hasValue,
} from "../../../../../plugins/search/engines/builtin/segment.js";
import { sampleDocument } from "../../../../../plugins/search/testing/engine-suite.js";
import { segmentOf } from "../../../../support/content/segments.js";

const valuesAt = (
  column: ReturnType<ColumnBuilder["finish"]>,
  at: number,
): (string | undefined)[] =>
  [...column.ids.subarray(column.starts[at], column.starts[at + 1])].map((id) => column.values[id]);

describe("columns", () => {
  it("store the values of each document once, renumbered, with gaps", () => {
    const builder = new ColumnBuilder();
    builder.add(0, ["a", "b", "a"]);
    builder.add(2, ["b"]);
    const column = builder.finish(Uint32Array.from([2, 3, 1, 0]));
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => valuesAt(column, at)),
      [["b"], [], [], ["a", "b"]],
    );
  });

  it("detect whether a document has one of several values", () => {
    const builder = new ColumnBuilder();
    builder.add(0, ["a"]);
    builder.add(1, ["b"]);
    const column = builder.finish(Uint32Array.from([0, 1]));
    const allowed = Uint8Array.from(column.values, (value) => (value === "b" ? 1 : 0));
    assert.deepEqual(
      [0, 1, 2].map((at) => hasValue(column, allowed, at)),
      [false, true, false],
    );
  });

  it("separate taxonomies, facets and the document's own properties, whatever their names", () => {
    const document = sampleDocument({
      route: "/",
      taxonomy: { access: ["x"] },
      facets: { access: ["y"] },
      access: "member",
    });
    const { columns } = segmentOf([document]);
    assert.deepEqual(columns.get("access")?.values, ["member"]);
    assert.deepEqual(columns.get(columnOf.taxonomy("access"))?.values, ["x"]);
    assert.deepEqual(columns.get(columnOf.facet("access"))?.values, ["y"]);
    assert.notEqual(columnOf.taxonomy("a"), columnOf.facet("a"));
  });
});
