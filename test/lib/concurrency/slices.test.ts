import assert from "node:assert/strict";
import fc from "fast-check";
import { createPause, runAtOnce, runInSlices, sortInSlices, type Sliced } from "#lib/concurrency";

function* countTo(count: number, seen: number[]): Sliced<string> {
  for (let at = 1; at <= count; at += 1) {
    seen.push(at);
    yield;
  }
  return "done";
}

function* failing(): Sliced<never> {
  yield;
  throw new Error("broken");
}

/** Each step takes longer than a slice may. */
function* slow(steps: number): Sliced<void> {
  for (let at = 0; at < steps; at += 1) {
    for (const until = performance.now() + 10; performance.now() < until;);
    yield;
  }
}

describe("runAtOnce", () => {
  it("runs every step and gives the result", () => {
    const seen: number[] = [];
    assert.equal(runAtOnce(countTo(3, seen)), "done");
    assert.deepEqual(seen, [1, 2, 3]);
  });

  it("passes on what the work throws", () => {
    assert.throws(() => runAtOnce(failing()), /broken/);
  });
});

describe("runInSlices", () => {
  it("runs every step and gives the result", async () => {
    const seen: number[] = [];
    assert.equal(await runInSlices(countTo(3, seen)), "done");
    assert.deepEqual(seen, [1, 2, 3]);
  });

  it("rejects with what the work throws", async () => {
    await assert.rejects(runInSlices(failing()), /broken/);
  });

  it("yields to other work during long work", async () => {
    const order: string[] = [];
    const work = runInSlices(slow(3)).then(() => order.push("work"));
    setImmediate(() => order.push("other"));
    await work;
    assert.deepEqual(order, ["other", "work"]);
  });
});

describe("createPause", () => {
  it("is due after a slice, and starts the next one", async () => {
    const clock = { ms: 100 };
    const pause = createPause(8, () => clock.ms);
    assert.equal(pause(), undefined);
    clock.ms += 10;
    await pause();
    assert.equal(pause(), undefined);
  });

  it("gives a slice as much time as everything else took in the turn before, up to a limit", async () => {
    const clock = { ms: 0 };
    const pause = createPause(1, () => clock.ms);
    const others = async (ms: number): Promise<void> => {
      setImmediate(() => (clock.ms += ms));
      await pause();
    };
    clock.ms += 1;
    await others(5);
    clock.ms += 4;
    assert.equal(pause(), undefined);
    clock.ms += 1;
    await others(100);
    clock.ms += 7;
    assert.equal(pause(), undefined);
    clock.ms += 1;
    await others(0);
    clock.ms += 1;
    assert.notEqual(pause(), undefined);
  });
});

describe("sortInSlices", () => {
  it("sorts like toSorted, stable, across the bounds of its runs", () => {
    for (const length of [0, 1, 2047, 2048, 2049, 6500]) {
      const items = Array.from({ length }, (_, at) => ({ key: (at * 7919) % 101, at }));
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      assert.deepEqual(runAtOnce(sortInSlices([...items], compare)), items.toSorted(compare));
    }
  });

  it("sorts any numbers", () => {
    const compare = (a: number, b: number): number => a - b;
    fc.assert(
      fc.property(fc.array(fc.integer()), (list) =>
        assert.deepEqual(runAtOnce(sortInSlices(list, compare)), list.toSorted(compare)),
      ),
    );
  });
});
