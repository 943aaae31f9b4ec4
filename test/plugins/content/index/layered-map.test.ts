import assert from "node:assert/strict";
import fc from "fast-check";
import { runAtOnce } from "#lib/concurrency";
import { LayeredMap } from "../../../../plugins/content/index/layered-map.js";

interface Value {
  at: number;
}
const none = new LayeredMap<Value>(new Map());
const key = fc.constantFrom("a", "b", "c", "d", "e");
const change = fc.dictionary(key, fc.option(fc.record({ at: fc.integer() })));

describe("LayeredMap", () => {
  it("equals a plain map of all changes, and does not change its base", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const states: [LayeredMap<Value>, Map<string, Value>][] = [[none, new Map()]];
        for (const each of changes) {
          const [layered, plain] = states.at(-1) ?? [none, new Map<string, Value>()];
          const next = new Map(plain);
          for (const [name, value] of Object.entries(each)) {
            if (value === null) next.delete(name);
            else next.set(name, value);
          }
          states.push([runAtOnce(layered.next(new Map(Object.entries(each)))), next]);
        }
        for (const [layered, plain] of states) {
          assert.deepEqual(new Map(layered), plain);
          assert.equal(layered.size, plain.size);
          assert.deepEqual(new Set(layered.keys()), new Set(plain.keys()));
          assert.deepEqual(new Set(layered.values()), new Set(plain.values()));
          for (const name of ["a", "b", "c", "d", "e", "f"]) {
            assert.equal(layered.get(name), plain.get(name));
            assert.equal(layered.has(name), plain.has(name));
            assert.deepEqual(layered.beginningWith(name), plain.has(name) ? [name] : []);
          }
        }
      }),
    );
  });

  it("calls back for each entry, as maps do", () => {
    const told: unknown[] = [];
    const map = new LayeredMap(new Map([["a", { at: 1 }]]));
    map.forEach((value, name, self) => told.push([name, value.at, self === map]));
    assert.deepEqual(told, [["a", 1, true]]);
  });

  it("limits the layered changes, and pauses while copying", () => {
    const many = (from: number, count: number): Map<string, Value> =>
      new Map(Array.from({ length: count }, (_, at) => [`k${from + at}`, { at }]));
    const base = new LayeredMap(many(0, 5_000));
    assert.equal([...base.next(many(0, 256))].length, 0);
    const copying = base.next(many(4_990, 300));
    assert.equal([...copying].length, Math.floor(5_290 / 500));
    assert.equal(runAtOnce(base.next(many(4_990, 300))).size, 5_290);
  });
});
