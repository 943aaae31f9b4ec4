import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import { createSlidingWindow } from "#lib/concurrency";
import type { AttemptLimit } from "../../../plugins/security/contract.js";
import { GuessLimit } from "../../../plugins/webhooks/incoming-tokens.js";

function tooMany(seconds: number) {
  return (error: unknown): boolean =>
    error instanceof HttpError &&
    error.status === 429 &&
    error.headers?.["Retry-After"] === String(seconds);
}

function setUp(attempts?: AttemptLimit) {
  const clock = { at: 1_000_000, now: () => clock.at };
  const security = {
    clientKey: (ip: string) => ip.split("::")[0] ?? ip,
    attempts: attempts ?? createSlidingWindow(clock.now),
  };
  return { clock, limit: new GuessLimit(security, clock) };
}

async function fail(limit: GuessLimit, ip: string): Promise<void> {
  for (let at = 0; at < 30; at += 1) await limit.count(ip);
}

describe("the limit on guessed tokens", () => {
  it("counts 30 failures a minute per address key", async () => {
    const asked: [string, number, number][] = [];
    const { limit } = setUp({
      take: (...question) => {
        asked.push(question);
        return { allowed: true, retryAfterSeconds: 0 };
      },
      release: () => undefined,
    });
    await limit.count("2001:db8::1");
    assert.deepEqual(asked, [["incoming-webhook:2001:db8", 30, 60_000]]);
    await limit.check("2001:db8::1");
  });

  it("responds with Retry-After until the pause is over, only to that network", async () => {
    const { clock, limit } = setUp();
    await fail(limit, "2001:db8::1");
    await assert.rejects(limit.count("2001:db8::1"), tooMany(60));
    clock.at += 20_500;
    await assert.rejects(limit.check("2001:db8::ffff"), tooMany(40));
    await limit.check("192.0.2.1");
    clock.at += 39_500;
    await limit.check("2001:db8::1");
  });

  it("counts no calls without a failure", async () => {
    const { limit } = setUp();
    for (let at = 0; at < 50; at += 1) await limit.check("192.0.2.1");
  });

  it("never locks an address for more than a minute when the clock is set back", async () => {
    const { clock, limit } = setUp();
    await fail(limit, "192.0.2.1");
    await assert.rejects(limit.count("192.0.2.1"), HttpError);
    clock.at -= 3_600_000;
    await limit.check("192.0.2.1");
  });

  it("never returns a Retry-After below one second", async () => {
    const { limit } = setUp({
      take: () => ({ allowed: false, retryAfterSeconds: 0 }),
      release: () => undefined,
    });
    await assert.rejects(limit.count("192.0.2.1"), tooMany(1));
  });

  it("counts in memory without the security plugin", async () => {
    const limit = new GuessLimit(undefined, { now: () => 0 });
    await fail(limit, "192.0.2.1");
    await assert.rejects(limit.check("192.0.2.1"), tooMany(60));
    await limit.check("192.0.2.2");
  });
});
