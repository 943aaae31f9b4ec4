import assert from "node:assert/strict";
import type { RateVerdict } from "../../../plugins/security/contract.js";
import { createSlidingWindow } from "../../../plugins/security/sliding-window.js";
import { rateLimitContract } from "../../../plugins/testing.js";

describe("the sliding window: conformance suite", () => {
  const clock = { now: 1_000 };
  rateLimitContract({
    open: () => createSlidingWindow(() => clock.now),
    advance: (ms) => void (clock.now += ms),
  });
});

describe("createSlidingWindow", () => {
  function limiter() {
    const clock = { now: 1_000 };
    const engine = createSlidingWindow(() => clock.now);
    const take = (key = "a", limit = 120) => engine.take(key, limit, 60_000) as RateVerdict;
    return { clock, take };
  }

  it("allows requests up to the limit, then rejects with a correct Retry-After of 1 to 60", () => {
    const { clock, take } = limiter();
    for (let at = 0; at < 120; at += 1) assert.equal(take().allowed, true);
    const refused = take();
    assert.equal(refused.allowed, false);
    assert.ok(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 60);
    clock.now += refused.retryAfterSeconds * 1_000 + 1_000;
    assert.equal(take().allowed, true);
  });

  it("never allows twice the limit around the edge of a window", () => {
    const { clock, take } = limiter();
    take();
    clock.now += 59_000;
    const burst = () =>
      Array.from({ length: 200 }, () => take()).filter(({ allowed }) => allowed).length;
    const before = burst();
    clock.now += 2_000;
    assert.ok(before + burst() <= 124, "at most the limit plus what has run out since");
  });

  it("counts every key separately", () => {
    const { take } = limiter();
    for (let at = 0; at < 5; at += 1) take("a", 5);
    assert.equal(take("a", 5).allowed, false);
    assert.equal(take("b", 5).allowed, true);
  });

  it("limits itself to 100,000 keys", () => {
    const { take } = limiter();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 400_000; at += 1) take(`k${at}`);
    assert.ok(process.memoryUsage().heapUsed - before < 64 * 1_024 * 1_024);
    assert.equal(take("k0").allowed, true);
  });
});
