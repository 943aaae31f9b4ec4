import assert from "node:assert/strict";
import fc from "fast-check";
import { mergeValues, valueAt } from "#lib/values";

const json = fc.jsonValue({ maxDepth: 3 });

describe("mergeValues", () => {
  it("merges mappings key by key; lists, scalars and null replace", () => {
    assert.deepEqual(mergeValues({ a: { b: 1 } }, { a: null }), { a: null });
    assert.deepEqual(mergeValues({ a: 1 }, { a: { b: 2 } }), { a: { b: 2 } });
    assert.deepEqual(mergeValues({ a: [1, 2], b: { c: 1, d: 2 } }, { a: [3], b: { c: 4 } }), {
      a: [3],
      b: { c: 4, d: 2 },
    });
  });

  it("merges without sharing: the result may be changed", () => {
    const above = { a: { b: [{ c: 1 }] } };
    const merged = mergeValues({}, above);
    assert.deepEqual(merged, above);
    assert.notEqual(valueAt(merged, ["a", "b"]), above.a.b);
    assert.notEqual(valueAt(merged, ["a", "b", 0]), above.a.b[0]);
  });

  it("merges to the upper value where present, else the lower one", () => {
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
});

describe("valueAt", () => {
  it("has only own values", () => {
    assert.equal(valueAt({}, ["constructor"]), undefined);
    assert.equal(valueAt({ a: [1] }, ["a", "length"]), undefined);
    assert.equal(valueAt({ a: "text" }, ["a", 0]), undefined);
  });
});
