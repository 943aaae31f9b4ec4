import assert from "node:assert/strict";
import { globalRunner, statingRules, type SuiteRules, type TestRunner } from "#testing";
import type { RateLimitEngine } from "../contract.js";

/** How the suite creates an engine. */
export interface RateLimitFixture {
  /** An engine without any counts. */
  open(): Promise<RateLimitEngine> | RateLimitEngine;
  /** Advances the engine's clock; without it the suite skips tests of time. */
  advance?(ms: number): Promise<void> | void;
  /** Removes what `open` created; the suite has closed the engine. */
  remove?(): Promise<void> | void;
}

const MINUTE = 60_000;

/** The rules of rate limits by the title of their check, which `rateLimitContract` states. */
export const RATE_LIMIT_RULES: SuiteRules = {
  "allows requests up to the limit, also concurrent ones, and rejects the rest":
    "`take` allows `limit` requests of a key in a window, also of those at the same time, and no more",
  "returns when to retry: whole seconds, at least one, at most the window":
    "`retryAfterSeconds` of a rejected request is a whole number, from 1 to the length of the window",
  "counts every key separately, whatever its text":
    "each key counts for itself, whatever its text is; upper and lower case differ",
  "keeps windows of different lengths apart":
    "one key with two lengths of the window has two counts",
  "allows requests again after the returned time, and all of them after two windows":
    "a request is allowed again shortly after `retryAfterSeconds`, and `limit` of them after two windows",
  "withdraws the last request of a key, or several, and no other key's":
    "`release` withdraws the last request of a key and window, or `count` of them, and those of no other key or window; optional",
  "withdraws all requests of a key with Infinity, and none of an unknown key":
    "`release` with `Infinity` withdraws all requests; without any, or of an unknown key, it does nothing",
};

/** The conformance suite of engines for the slot `rateLimit`. Call it inside a `describe`. */
export function rateLimitContract(
  fixture: RateLimitFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  const it = statingRules(plainIt, RATE_LIMIT_RULES);
  let engine: RateLimitEngine;
  beforeEach(async () => {
    engine = await fixture.open();
  });
  afterEach(async () => {
    await engine.close?.();
    await fixture.remove?.();
  });
  const allowed = async (times: number, key: string, limit: number): Promise<number> => {
    const verdicts = Array.from({ length: times }, async () => engine.take(key, limit, MINUTE));
    return (await Promise.all(verdicts)).filter((verdict) => verdict.allowed).length;
  };

  it("allows requests up to the limit, also concurrent ones, and rejects the rest", async () => {
    assert.equal(await allowed(30, "a", 10), 10);
    assert.equal(await allowed(1, "a", 10), 0);
  });

  it("returns when to retry: whole seconds, at least one, at most the window", async () => {
    await allowed(2, "a", 2);
    const { retryAfterSeconds } = await engine.take("a", 2, MINUTE);
    assert.ok(Number.isInteger(retryAfterSeconds));
    assert.ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 60, String(retryAfterSeconds));
  });

  it("counts every key separately, whatever its text", async () => {
    for (const key of ["a", "A", "a:b", "__proto__", "grüße 🚀", "x".repeat(300), "a\n\0"]) {
      assert.equal(await allowed(3, key, 2), 2, JSON.stringify(key));
    }
  });

  it("keeps windows of different lengths apart", async () => {
    assert.equal(await allowed(2, "a", 1), 1);
    assert.equal((await engine.take("a", 1, 60 * MINUTE)).allowed, true);
  });

  it("allows requests again after the returned time, and all of them after two windows", async () => {
    if (fixture.advance === undefined) return;
    await allowed(10, "a", 10);
    const { retryAfterSeconds } = await engine.take("a", 10, MINUTE);
    // An engine may count in a window that slides: it has room for one shortly after its edge.
    await fixture.advance(retryAfterSeconds * 1_000 + MINUTE / 10);
    assert.equal((await engine.take("a", 10, MINUTE)).allowed, true);
    await fixture.advance(2 * MINUTE);
    assert.equal(await allowed(20, "a", 10), 10);
  });
  releaseContract(it, { engine: () => engine, allowed });
}

interface UnderTest {
  engine(): RateLimitEngine;
  allowed(times: number, key: string, limit: number): Promise<number>;
}

function releaseContract(it: TestRunner["it"], { engine: opened, allowed }: UnderTest): void {
  it("withdraws the last request of a key, or several, and no other key's", async () => {
    const engine = opened();
    if (engine.release === undefined) return;
    await allowed(2, "a", 2);
    await allowed(2, "b", 2);
    await engine.release("a", MINUTE);
    assert.equal(await allowed(2, "a", 2), 1);
    await engine.release("a", MINUTE, 2);
    assert.equal(await allowed(3, "a", 2), 2);
    assert.equal(await allowed(1, "b", 2), 0);
    await engine.release("b", 60 * MINUTE);
    assert.equal(await allowed(1, "b", 2), 0, "a window of another length");
  });

  it("withdraws all requests of a key with Infinity, and none of an unknown key", async () => {
    const engine = opened();
    if (engine.release === undefined) return;
    await allowed(5, "a", 5);
    await engine.release("a", MINUTE, Infinity);
    await engine.release("a", MINUTE);
    await engine.release("unknown", MINUTE);
    assert.equal(await allowed(6, "a", 5), 5);
    assert.equal(await allowed(2, "unknown", 1), 1);
  });
}
