import assert from "node:assert/strict";
import * as nodeTest from "node:test";
import { globalRunner, testClock, type TestRunner } from "#testing";

describe("globalRunner", () => {
  it("finds the functions of a runner with globals", () => {
    const runner = globalRunner();
    assert.equal(runner.it, it);
    assert.equal(runner.beforeEach, beforeEach);
  });

  it("explains what to pass without globals", () => {
    const known = globalThis.afterEach;
    try {
      Reflect.deleteProperty(globalThis, "afterEach");
      assert.throws(() => globalRunner(), /afterEach: pass .*node:test/);
    } finally {
      globalThis.afterEach = known;
    }
  });

  it("accepts the shape of node:test", () => {
    const { describe: group, it: test, beforeEach: before, afterEach: after } = nodeTest;
    const runner: TestRunner = { describe: group, it: test, beforeEach: before, afterEach: after };
    assert.equal(typeof runner.it, "function");
  });
});

describe("testClock", () => {
  it("is frozen, advances and is set", () => {
    const clock = testClock("2026-01-01T00:00:00Z");
    const start = clock.now();
    assert.equal(start, Date.UTC(2026, 0, 1));
    clock.advance(1_500);
    assert.equal(clock.now(), start + 1_500);
    clock.set(5);
    assert.equal(clock.now(), 5);
    assert.throws(() => clock.set("soon"), /"soon" is not a time/);
  });
});
