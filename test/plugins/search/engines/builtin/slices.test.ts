import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import {
  createPause,
  runNow,
  runSliced,
  sortInSteps,
} from "../../../../../plugins/search/engines/builtin/slices.js";

function* busy(ms: number, steps: number) {
  for (let at = 0; at < steps; at++) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    yield;
  }
  return "done";
}

describe("work in slices", () => {
  it("has the same result as synchronous work", async () => {
    assert.equal(runNow(busy(0, 3)), "done");
    assert.equal(await runSliced(busy(0, 3)), "done");
  });

  it("yields before it has ended", async () => {
    let ended = false;
    const work = runSliced(busy(5, 20)).then(() => (ended = true));
    await setImmediate();
    assert.equal(ended, false);
    await work;
  });

  it("does not pause within a slice", () => {
    assert.equal(createPause()(), undefined);
  });

  it("sorts like Array.prototype.sort, stable, across the bounds of its runs", () => {
    for (const length of [0, 1, 2047, 2048, 2049, 6500]) {
      const items = Array.from({ length }, (_, at) => ({ key: (at * 7919) % 101, at }));
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      assert.deepEqual(runNow(sortInSteps([...items], compare)), items.toSorted(compare));
    }
  });

  it("sorts any numbers", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (list) => {
        assert.deepEqual(
          runNow(sortInSteps([...list], (a, b) => a - b)),
          list.toSorted((a, b) => a - b),
        );
      }),
    );
  });
});
