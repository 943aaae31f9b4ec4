import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import type { RateVerdict, SecurityService } from "../../../plugins/security/contract.js";
import { GuessLimit } from "../../../plugins/webhooks/guess-limit.js";

function tooMany(seconds: number) {
  return (error: unknown): boolean =>
    error instanceof HttpError &&
    error.status === 429 &&
    error.headers?.["Retry-After"] === String(seconds);
}

function setUp(verdict: RateVerdict = { allowed: false, retryAfterSeconds: 60 }) {
  const clock = { now: 1_000_000 };
  const asked: [string, number, number][] = [];
  const security: SecurityService = {
    clientKey: (ip) => ip.split("::")[0] ?? ip,
    isSameOrigin: () => false,
    isFromElsewhere: () => true,
    limit: (...question) => {
      asked.push(question);
      return verdict;
    },
  };
  return { clock, asked, limit: new GuessLimit(security, () => clock.now) };
}

describe("the limit on guessed tokens", () => {
  it("counts 30 failures a minute per address key", async () => {
    const { asked, limit } = setUp({ allowed: true, retryAfterSeconds: 1 });
    await limit.count("2001:db8::1");
    assert.deepEqual(asked, [["incoming-webhook:2001:db8", 30, 60_000]]);
    limit.check("2001:db8::1");
  });

  it("responds with Retry-After until the pause is over, only to that network", async () => {
    const { clock, limit } = setUp();
    await assert.rejects(limit.count("2001:db8::1"), tooMany(60));
    clock.now += 20_500;
    assert.throws(() => limit.check("2001:db8::ffff"), tooMany(40));
    limit.check("192.0.2.1");
    clock.now += 39_500;
    limit.check("2001:db8::1");
  });

  it("never locks an address for more than a minute when the clock is set back", async () => {
    const { clock, limit } = setUp();
    await assert.rejects(limit.count("192.0.2.1"), HttpError);
    clock.now -= 3_600_000;
    limit.check("192.0.2.1");
  });

  it("never returns a Retry-After below one second", async () => {
    await assert.rejects(
      setUp({ allowed: false, retryAfterSeconds: 0 }).limit.count("192.0.2.1"),
      tooMany(1),
    );
  });

  it("counts nothing without the security plugin", async () => {
    const limit = new GuessLimit(undefined, () => 0);
    for (let at = 0; at < 50; at += 1) await limit.count("192.0.2.1");
    limit.check("192.0.2.1");
  });
});
