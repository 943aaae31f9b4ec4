import assert from "node:assert/strict";
import { AttemptLimiter } from "#lib/concurrency";

const LIMIT = 3;

/** A counter whose replies arrive later. */
function setUp() {
  const counted = new Map<string, number>();
  const limiter = new AttemptLimiter({
    take: async (key, limit) => {
      const count = counted.get(key) ?? 0;
      if (count < limit) counted.set(key, count + 1);
      await new Promise(setImmediate);
      return { allowed: count < limit, retryAfterSeconds: count < limit ? 0 : 7 };
    },
    release: async (key, _windowMs, count = 1) => {
      counted.set(key, Math.max(0, (counted.get(key) ?? 0) - count));
      await new Promise(setImmediate);
    },
  });
  /** True: it was allowed. */
  const attempt = async (key: string, isRight: boolean): Promise<boolean> => {
    const { allowed } = await limiter.take(key, LIMIT, 60_000);
    if (!allowed) return false;
    await new Promise(setImmediate);
    if (isRight) await limiter.release(key, 60_000);
    else limiter.failed(key);
    return true;
  };
  return { counted, limiter, attempt };
}

describe("AttemptLimiter", () => {
  it("allows any number of right attempts at the same time, and counts none", async () => {
    const { attempt, counted } = setUp();
    const all = await Promise.all(Array.from({ length: 100 }, () => attempt("eva", true)));
    assert.ok(all.every((allowed) => allowed));
    assert.equal(counted.get("eva"), 0);
  });

  it("allows no more wrong attempts at the same time than the limit", async () => {
    const { attempt } = setUp();
    const all = await Promise.all(Array.from({ length: 100 }, () => attempt("eva", false)));
    assert.equal(all.filter((allowed) => allowed).length, LIMIT);
    assert.equal(await attempt("eva", true), false);
    assert.equal(await attempt("adam", true), true);
  });

  it("checks the next attempt when one before it was right", async () => {
    const { attempt } = setUp();
    const rights = Array.from({ length: 60 }, (_, at) => at % 30 !== 0);
    const all = await Promise.all(rights.map((isRight) => attempt("eva", isRight)));
    assert.ok(all.every((allowed) => allowed));
  });

  it("returns the verdict of the counter at once where no attempt is open", async () => {
    const { attempt, limiter } = setUp();
    for (let count = 0; count < LIMIT; count += 1) await attempt("eva", false);
    const verdict = await limiter.take("eva", LIMIT, 60_000);
    assert.deepEqual(verdict, { allowed: false, retryAfterSeconds: 7 });
  });

  it("takes an attempt back although the counter fails", async () => {
    const limiter = new AttemptLimiter({
      take: () => ({ allowed: false, retryAfterSeconds: 1 }),
      release: () => Promise.reject(new Error("down")),
    });
    await assert.rejects(limiter.release("eva", 60_000), /down/);
    assert.equal((await limiter.take("eva", LIMIT, 60_000)).allowed, false);
  });
});
