import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import type { AttemptLimit } from "../../../plugins/security/contract.js";
import { MemoryRateLimit } from "../../../plugins/security/engines/memory.js";
import { GuessLimit } from "../../../plugins/webhooks/incoming.js";

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
    attempts: attempts ?? new MemoryRateLimit(clock.now),
  };
  const limit = new GuessLimit(security);
  return {
    clock,
    limit,
    guess: (ip: string) => limit.run(ip, () => null),
    call: (ip: string) => limit.run(ip, () => "right"),
  };
}

async function fail(guess: (ip: string) => Promise<null>, ip: string): Promise<void> {
  for (let at = 0; at < 30; at += 1) assert.equal(await guess(ip), null);
}

describe("the limit on guessed tokens", () => {
  it("counts 30 failures a minute per address key", async () => {
    const asked: [string, number, number][] = [];
    const { guess, call } = setUp({
      take: (...question) => {
        asked.push(question);
        return { allowed: true, retryAfterSeconds: 0 };
      },
      release: () => undefined,
    });
    await guess("2001:db8::1");
    assert.deepEqual(asked, [["incoming-webhook:2001:db8", 30, 60_000]]);
    await call("2001:db8::1");
  });

  it("responds with Retry-After until the pause is over, only to that network", async () => {
    const { clock, guess, call } = setUp();
    await fail(guess, "2001:db8::1");
    await assert.rejects(guess("2001:db8::1"), tooMany(60));
    clock.at += 20_500;
    await assert.rejects(call("2001:db8::ffff"), tooMany(40));
    await call("192.0.2.1");
    clock.at += 39_500;
    await call("2001:db8::1");
  });

  it("counts no calls without a failure", async () => {
    const { limit, call } = setUp();
    for (let at = 0; at < 50; at += 1) assert.equal(await call("192.0.2.1"), "right");
    const malformed = (): never => {
      throw new HttpError(400, "the body is not valid JSON");
    };
    for (let at = 0; at < 50; at += 1) {
      await assert.rejects(limit.run("192.0.2.1", malformed), { status: 400 });
    }
    await fail((ip) => limit.run(ip, () => null), "192.0.2.1");
  });

  it("compares no more than 30 tokens of calls at the same time", async () => {
    const counts = new MemoryRateLimit(() => 0);
    const { limit } = setUp({
      take: (...question) => Promise.resolve(counts.take(...question)),
      release: (...question) => Promise.resolve(counts.release(...question)),
    });
    let compared = 0;
    const calls = Array.from({ length: 100 }, () =>
      limit.run("192.0.2.1", () => {
        compared += 1;
        return null;
      }),
    );
    await Promise.allSettled(calls);
    assert.equal(compared, 30);
  });

  it("allows any number of right tokens at the same time, among wrong ones", async () => {
    const counts = new MemoryRateLimit(() => 0);
    for (const attempts of [
      counts,
      {
        take: (...question: Parameters<typeof counts.take>) =>
          Promise.resolve(counts.take(...question)),
        release: (...question: Parameters<typeof counts.release>) =>
          Promise.resolve(counts.release(...question)),
      },
    ]) {
      const { guess, call } = setUp(attempts);
      const ip = attempts === counts ? "192.0.2.1" : "192.0.2.2";
      const calls = Array.from({ length: 500 }, (_, at) => (at % 25 === 0 ? guess(ip) : call(ip)));
      const right = (await Promise.all(calls)).filter((checked) => checked === "right");
      assert.equal(right.length, 480);
      await Promise.all(Array.from({ length: 10 }, () => guess(ip)));
      await assert.rejects(call(ip), tooMany(60));
    }
  });

  it("never locks an address for more than a minute when the clock is set back", async () => {
    const { clock, guess, call } = setUp();
    await fail(guess, "192.0.2.1");
    await assert.rejects(guess("192.0.2.1"), HttpError);
    clock.at -= 3_600_000;
    await call("192.0.2.1");
  });

  it("never returns a Retry-After below one second", async () => {
    const { guess } = setUp({
      take: () => ({ allowed: false, retryAfterSeconds: 0 }),
      release: () => undefined,
    });
    await assert.rejects(guess("192.0.2.1"), tooMany(1));
  });
});
