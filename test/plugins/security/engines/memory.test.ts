import assert from "node:assert/strict";
import { MemoryRateLimit } from "../../../../plugins/security/engines/memory.js";
import { rateLimitContract } from "../../../../plugins/testing.js";

describe("the rate-limit engine memory", () => {
  const time = { now: 1_000 };
  rateLimitContract({
    open: () => new MemoryRateLimit(() => time.now),
    advance: (ms) => void (time.now += ms),
  });

  function limiter() {
    const clock = { now: 1_000 };
    const engine = new MemoryRateLimit(() => clock.now);
    const take = (key = "a", limit = 120) => engine.take(key, limit, 60_000);
    return { clock, take };
  }

  it("counts all requests of a key until one window after the first", () => {
    const { clock, take } = limiter();
    take("a", 2);
    clock.now += 30_000;
    take("a", 2);
    clock.now += 29_500;
    assert.deepEqual(take("a", 2), { allowed: false, retryAfterSeconds: 1 });
    clock.now += 500;
    assert.equal(take("a", 2).allowed, true);
    assert.equal(take("a", 2).allowed, true);
    assert.deepEqual(take("a", 2), { allowed: false, retryAfterSeconds: 60 });
  });

  it("keeps a limit of a million", () => {
    const { clock, take } = limiter();
    let allowed = 0;
    for (let at = 0; at < 1_200_000; at += 1) {
      clock.now += 0.04;
      if (take("a", 1_000_000).allowed) allowed += 1;
    }
    assert.equal(allowed, 1_000_000);
    clock.now += 60_000;
    assert.equal(take("a", 1_000_000).allowed, true);
  });

  it("locks no client out when the clock is set back", () => {
    const { clock, take } = limiter();
    clock.now += 3_600_000;
    take("a", 1);
    clock.now -= 30_000;
    assert.deepEqual(take("a", 1), { allowed: false, retryAfterSeconds: 60 });
    clock.now -= 30_000;
    assert.equal(take("a", 1).allowed, true);
  });

  it("limits itself to 100,000 keys", () => {
    const { take } = limiter();
    for (let at = 0; at < 100_001; at += 1) take(`k${at}`, 1);
    assert.equal(take("k0", 1).allowed, false, "keys of the last rotation still count");
    for (let at = 0; at < 100_001; at += 1) take(`other${at}`, 1);
    assert.equal(take("k1", 1).allowed, true, "older keys are dropped");
    assert.equal(take("other1", 1).allowed, false);
  });
});
