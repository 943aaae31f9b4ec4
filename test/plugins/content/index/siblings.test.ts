import assert from "node:assert/strict";
import { compareSiblings, toSibling } from "../../../../plugins/content/index/tree-order.js";

function sorted(items: readonly (readonly [order: number, title: string, path: string])[]) {
  return items
    .map(([order, title, path]) => toSibling(path, { order, title }, path))
    .sort(compareSiblings)
    .map(({ item }) => item);
}

describe("siblings", () => {
  it("sort by order, those without one last", () => {
    assert.deepEqual(
      sorted([
        [0, "A", "none"],
        [10, "B", "ten"],
        [2, "C", "two"],
      ]),
      ["two", "ten", "none"],
    );
  });

  it("of equal order sort by title, ignoring case", () => {
    assert.deepEqual(
      sorted([
        [1, "beta", "b"],
        [1, "Äpfel", "ä"],
        [1, "Alpha", "a"],
      ]),
      ["a", "ä", "b"],
    );
  });

  it("of equal title sort by path", () => {
    assert.deepEqual(
      sorted([
        [0, "Same", "z"],
        [0, "same", "a"],
      ]),
      ["a", "z"],
    );
  });
});
