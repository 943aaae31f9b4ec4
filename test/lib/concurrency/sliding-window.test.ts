import assert from "node:assert/strict";
import { createSlidingWindow } from "#lib/concurrency";

describe("createSlidingWindow", () => {
  function limiter() {
    const clock = { now: 1_000 };
    const engine = createSlidingWindow(() => clock.now);
    const take = (key = "a", limit = 120) => engine.take(key, limit, 60_000);
    return { clock, engine, take };
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

  it("counts each request for exactly one window", () => {
    const { clock, take } = limiter();
    take("a", 2);
    clock.now += 30_000;
    take("a", 2);
    clock.now += 29_500;
    assert.deepEqual(take("a", 2), { allowed: false, retryAfterSeconds: 1 });
    clock.now += 500;
    assert.equal(take("a", 2).allowed, true);
    assert.deepEqual(take("a", 2), { allowed: false, retryAfterSeconds: 30 });
  });

  it("keeps a limit of a million, within 1/128 of the window", () => {
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

  it("withdraws the last requests", () => {
    const { clock, engine, take } = limiter();
    take("a", 2);
    clock.now += 30_000;
    take("a", 2);
    engine.release("a", 60_000);
    clock.now += 30_000;
    assert.equal(take("a", 2).allowed, true, "the first has expired");
    assert.equal(take("a", 2).allowed, true);
    assert.equal(take("a", 2).allowed, false);
    for (let at = 0; at < 5; at += 1) take("b", 1_000);
    engine.release("b", 60_000, 4);
    engine.release("c", 60_000);
    engine.release("b", 1_000);
    assert.deepEqual([take("b", 2).allowed, take("b", 2).allowed], [true, false]);
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
