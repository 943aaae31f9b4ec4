import { valueAt } from "#lib/values";
import assert from "node:assert/strict";
import {
  locate,
  mergeLayers,
  findSource,
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

describe("layers", () => {
  it("merge mappings key by key; lists, scalars and null replace", () => {
    assert.deepEqual(mergeLayers(layers), { x: { y: 3, z: 2 }, list: [4] });
  });

  it("give the last source of a value", () => {
    assert.equal(findSource(layers, ["x", "y"])?.file, "b.yaml");
    assert.equal(findSource(layers, ["x", "z"])?.file, "a.yaml");
    assert.equal(findSource(layers, ["x", "missing"]), undefined);
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
