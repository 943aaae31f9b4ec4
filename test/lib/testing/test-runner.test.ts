import assert from "node:assert/strict";
import * as nodeTest from "node:test";
import { globalRunner, testClock, type TestRunner, OpenSites } from "#testing";

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
  it("is frozen until it is moved", () => {
    const clock = testClock("2026-03-01T12:00:00Z");
    const noon = Date.UTC(2026, 2, 1, 12);
    assert.deepEqual([clock.now(), clock.now()], [noon, noon]);
    clock.advance(1_500);
    assert.equal(clock.now(), noon + 1_500);
    clock.set(5);
    assert.equal(clock.now(), 5);
    clock.set("1970-01-02");
    assert.equal(clock.now(), 86_400_000);
  });

  it("belongs to one site", () => {
    const [one, other] = [testClock(0), testClock(0)];
    one.advance(10);
    assert.deepEqual([one.now(), other.now()], [10, 0]);
  });

  it("rejects an invalid time, with the expected form", () => {
    for (const wrong of ["soon", "", NaN, Infinity]) {
      assert.throws(() => testClock(wrong), /Unix ms or an ISO 8601 text/);
      assert.throws(() => testClock().set(wrong), TypeError);
    }
  });
});

describe("OpenSites", () => {
  it("closes open sites once the tests have ended", async () => {
    const closed: string[] = [];
    const site = (name: string) => ({ close: async () => void closed.push(name) });
    const [first, second] = [site("first"), site("second")];
    const open = new OpenSites();
    open.add(first);
    open.add(second);
    open.remove(first);
    await open.closeAll();
    assert.deepEqual(closed, ["second"]);
  });
});
