import assert from "node:assert/strict";
import fc from "fast-check";
import { sortHandlers, type OrderedHandler } from "../../../kernel/hooks/hooks.js";

const at = (plugin: string, rank: number, order: OrderedHandler["order"] = {}): OrderedHandler => ({
  plugin,
  rank,
  order,
});
const names = (list: readonly OrderedHandler[]): string =>
  sortHandlers(list)
    .map(({ plugin }) => plugin)
    .join("");

describe("sortHandlers", () => {
  it("keeps plugin order, and registration within a plugin", () => {
    assert.equal(names([at("c", 2), at("a", 0), at("b", 1), at("a", 0)]), "aabc");
  });

  it("puts a handler before or after another plugin's", () => {
    assert.equal(names([at("a", 0), at("b", 1), at("c", 2, { before: "a" })]), "cab");
    assert.equal(names([at("a", 0, { after: "c" }), at("b", 1), at("c", 2)]), "bca");
  });

  it("orders a handler after the last of several handlers of that plugin", () => {
    assert.equal(names([at("a", 0, { after: "b" }), at("b", 1), at("b", 1), at("c", 2)]), "bbac");
  });

  it("ignores an order relative to a plugin without handlers", () => {
    assert.equal(names([at("a", 0, { after: "z" }), at("b", 1, { before: "y" })]), "ab");
  });

  it("never loses or duplicates a handler, whatever the orders", () => {
    const plugin = fc.constantFrom("a", "b", "c", "d");
    const placed = fc.record({
      plugin,
      rank: fc.nat(3),
      order: fc.record({ before: plugin, after: plugin }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 8 }), (list) => {
        const sorted = sortHandlers(list);
        assert.deepEqual(new Set(sorted), new Set(list));
        assert.equal(sorted.length, list.length);
      }),
    );
  });
});
