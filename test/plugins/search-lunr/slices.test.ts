import assert from "node:assert/strict";
import fc from "fast-check";
import { createPause, sortInSlices } from "../../../plugins/search-lunr/slices.js";

describe("slices of work", () => {
  it("sort like a single sort", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary" })), async (values) => {
        assert.deepEqual(await sortInSlices(values, createPause()), values.toSorted());
      }),
    );
  });

  it("yield whenever a pause is due", async () => {
    let turns = 0;
    const pause = {
      isDue: () => true,
      next: async () => {
        turns += 1;
      },
    };
    assert.deepEqual(await sortInSlices(["b", "a", "ab"], pause), ["a", "ab", "b"]);
    assert.equal(turns, 6);
  });

  it("are not due at first, but after a while", async () => {
    const clock = { ms: 100 };
    const pause = createPause(() => clock.ms);
    assert.equal(pause.isDue(), false);
    clock.ms += 10;
    assert.equal(pause.isDue(), true);
    await pause.next();
    assert.equal(pause.isDue(), false);
  });
});
