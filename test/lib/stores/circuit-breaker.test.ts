import assert from "node:assert/strict";
import { CircuitBreaker } from "../../../lib/stores/store-guard.js";

describe("CircuitBreaker", () => {
  const clock = { now: 0 };
  const create = () => new CircuitBreaker({ failures: 2, pauseMs: 100, now: () => clock.now });

  it("opens after failures in a row, for a while", () => {
    const breaker = create();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    assert.deepEqual([breaker.isOpen, breaker.isTripped], [false, false]);
    breaker.failed();
    assert.deepEqual([breaker.isOpen, breaker.isTripped], [true, true]);
    clock.now += 100;
    assert.deepEqual([breaker.isOpen, breaker.isTripped], [false, true]);
  });

  it("opens again with the next failure, and closes with a success", () => {
    const breaker = create();
    breaker.failed();
    breaker.failed();
    clock.now += 100;
    breaker.failed();
    assert.equal(breaker.isOpen, true);
    breaker.succeeded();
    assert.deepEqual([breaker.isOpen, breaker.isTripped], [false, false]);
  });
});
