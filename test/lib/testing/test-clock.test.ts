import assert from "node:assert/strict";
import { testClock } from "#testing";

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
