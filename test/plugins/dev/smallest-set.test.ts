import assert from "node:assert/strict";
import fc from "fast-check";
import { smallestSet } from "../../../plugins/dev/bisect-plugins.js";

describe("smallestSet", () => {
  it("finds one culprit among sixteen in a few tries", async () => {
    const tried = { count: 0 };
    const all = Array.from({ length: 16 }, (_, at) => at);
    const found = await smallestSet(all, async (some) => {
      tried.count += 1;
      return some.includes(11);
    });
    assert.deepEqual(found, [11]);
    assert.ok(tried.count <= 8, `${tried.count} tries`);
  });

  it("finds plugins that only break together, and no others", async () => {
    const run = async (size: number, culprits: readonly number[]): Promise<void> => {
      const all = Array.from({ length: size }, (_, at) => at);
      const breaks = async (some: readonly number[]) => culprits.every((one) => some.includes(one));
      const found = await smallestSet(all, breaks);
      assert.deepEqual([...found].sort(), [...culprits].sort());
    };
    const cases = fc
      .integer({ min: 1, max: 12 })
      .chain((size) =>
        fc.tuple(
          fc.constant(size),
          fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { minLength: 1, maxLength: 4 }),
        ),
      );
    await fc.assert(fc.asyncProperty(cases, ([size, culprits]) => run(size, culprits)));
  });
});
