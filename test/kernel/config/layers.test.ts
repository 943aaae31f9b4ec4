import { valueAt } from "../../../lib/values/index.js";
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  locate,
  mergeLayers,
  mergeValues,
  sourceOf,
  type ConfigLayer,
} from "../../../kernel/config/layers.js";

const layer = (file: string, data: Record<string, unknown>, line: number): ConfigLayer => ({
  target: "site",
  file,
  prefix: [],
  data,
  position: (path) => ({ line, column: path.length + 1 }),
});
const layers = [
  layer("a.yaml", { x: { y: 1, z: 2 }, list: [1, 2] }, 1),
  layer("b.yaml", { x: { y: 3 }, list: [4] }, 2),
];
const json = fc.jsonValue({ maxDepth: 3 });

describe("layers", () => {
  it("merge mappings key by key; lists, scalars and null replace", () => {
    assert.deepEqual(mergeLayers(layers), { x: { y: 3, z: 2 }, list: [4] });
    assert.deepEqual(mergeValues({ a: { b: 1 } }, { a: null }), { a: null });
    assert.deepEqual(mergeValues({ a: 1 }, { a: { b: 2 } }), { a: { b: 2 } });
  });

  it("merge without sharing: the result may be changed", () => {
    const above = { a: { b: [{ c: 1 }] } };
    const merged = mergeValues({}, above);
    assert.deepEqual(merged, above);
    assert.notEqual(valueAt(merged, ["a", "b"]), above.a.b);
    assert.notEqual(valueAt(merged, ["a", "b", 0]), above.a.b[0]);
  });

  it("merge to the upper value where present, else the lower one", () => {
    const mapping = fc.dictionary(fc.constantFrom("a", "b", "c"), json, { noNullPrototype: true });
    fc.assert(
      fc.property(mapping, mapping, (below, above) => {
        const merged = mergeValues(below, above);
        assert.deepEqual(mergeValues(merged, above), merged);
        assert.deepEqual(mergeValues(below, {}), below);
        for (const key of Object.keys(below).filter((name) => !Object.hasOwn(above, name))) {
          assert.deepEqual(valueAt(merged, [key]), below[key]);
        }
      }),
    );
  });

  it("give the last source of a value", () => {
    assert.equal(sourceOf(layers, ["x", "y"])?.file, "b.yaml");
    assert.equal(sourceOf(layers, ["x", "z"])?.file, "a.yaml");
    assert.equal(sourceOf(layers, ["x", "missing"]), undefined);
  });

  it("locate a missing key at its nearest parent, else at the top of the file", () => {
    assert.deepEqual(locate(layers, "site", ["x", "missing"]), {
      file: "b.yaml",
      line: 2,
      column: 2,
      path: ["x", "missing"],
    });
    assert.deepEqual(locate(layers, "site", ["title"]), {
      file: "a.yaml",
      line: 1,
      column: 1,
      path: ["title"],
    });
    assert.deepEqual(locate([], "site", ["title"]), {
      file: "site.yaml",
      line: 1,
      column: 1,
      path: ["title"],
    });
  });

  it("have only own values", () => {
    assert.equal(valueAt({}, ["constructor"]), undefined);
    assert.equal(valueAt({ a: [1] }, ["a", "length"]), undefined);
    assert.equal(valueAt({ a: "text" }, ["a", 0]), undefined);
  });
});
