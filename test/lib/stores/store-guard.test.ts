import assert from "node:assert/strict";
import { SiteError } from "#lib/errors";
import { until } from "../../support/until.js";
import { StoreGuard } from "../../../lib/stores/store-guard.js";

describe("StoreGuard", () => {
  let now = 0;
  let limitMs = 10_000;
  let changes: boolean[] = [];
  let guard: StoreGuard;
  const down = { code: "ERR_DOWN", status: 503 };
  const fail = (): Promise<never> => Promise.reject(new Error("ECONNRESET"));

  beforeEach(() => {
    now = 0;
    limitMs = 10_000;
    changes = [];
    guard = new StoreGuard({
      monotonic: () => now,
      onChange: ({ isDown }) => changes.push(isDown),
      limitMs: () => limitMs,
      toError: (cause) => new SiteError("ERR_DOWN", "down", { status: 503, cause }),
    });
  });

  async function breakStore(): Promise<void> {
    for (let i = 0; i < 3; i += 1) await assert.rejects(guard.run(fail), down);
  }

  it("returns a result", async () => {
    assert.equal(await guard.run(async () => 7), 7);
  });

  it("times out a call that does not end", async () => {
    limitMs = 20;
    await assert.rejects(
      guard.run(() => new Promise(() => undefined)),
      down,
    );
  });

  it("hides the cause from clients", async () => {
    const error: unknown = await guard.run(fail).catch((caught: unknown) => caught);
    assert.ok(error instanceof Error && !error.message.includes("ECONNRESET"));
  });

  it("asks again for each report while it is down, so that it notices a store that is back", async () => {
    let calls = 0;
    const again = async (): Promise<void> => void (calls += 1);
    assert.equal(guard.isDown(again), false);
    await breakStore();
    assert.equal(guard.isDown(again), true);
    assert.equal(calls, 0);
    now += 1_000;
    assert.equal(guard.isDown(again), true);
    await until(() => !guard.isDown(again));
    assert.equal(calls, 1);
    assert.deepEqual(changes, [true, false]);
  });

  it("asks a store that no call has reached for ten seconds, for reports", async () => {
    let calls = 0;
    const ask = async (): Promise<never> => {
      calls += 1;
      return fail();
    };
    assert.equal(guard.isDown(ask), false);
    assert.equal(calls, 0);
    for (const [pauseMs, expected] of [
      [10_000, 1],
      [999, 1],
      [1, 2],
      [1_000, 3],
    ] as const) {
      now += pauseMs;
      guard.isDown(ask);
      await new Promise(setImmediate);
      assert.equal(calls, expected);
    }
    assert.equal(guard.isDown(ask), true);
    assert.deepEqual(changes, [true]);
  });

  it("lets one call through after a pause, and only one", async () => {
    await breakStore();
    let calls = 0;
    const count = async (): Promise<void> => {
      calls += 1;
      await new Promise((resolve) => setImmediate(resolve));
    };
    await assert.rejects(guard.run(count), down);
    now += 1_000;
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => guard.run(count)));
    assert.equal(calls, 1);
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    await guard.run(count);
  });

  it("reports the outage once, and the recovery once", async () => {
    await breakStore();
    assert.equal(guard.isDown(fail), true);
    await assert.rejects(guard.run(fail), down);
    now += 1_000;
    await assert.rejects(guard.run(fail), down);
    now += 1_000;
    await guard.run(async () => undefined);
    assert.deepEqual(changes, [true, false]);
    assert.equal(guard.isDown(fail), false);
  });
});
