import assert from "node:assert/strict";
import { RebuildGate } from "../../../plugins/webhooks/incoming.js";
import { deferred, type Deferred } from "../../support/deferred.js";

describe("the gate before rebuilds", () => {
  const closing = (): AbortController => new AbortController();

  it("merges 500 calls into one rebuild and one that follows", async () => {
    const runs: Deferred<void>[] = [];
    const running = { now: 0, most: 0 };
    const gate = new RebuildGate(async () => {
      running.most = Math.max(running.most, ++running.now);
      const run = deferred<void>();
      runs.push(run);
      if (runs.length > 1) run.resolve();
      await run.promise;
      running.now -= 1;
    }, closing().signal);
    const first = gate.ask();
    await Promise.all(Array.from({ length: 499 }, () => gate.ask()));
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await first;
    assert.equal(runs.length, 2);
    assert.equal(running.most, 1);
  });

  it("is open again after a failed rebuild", async () => {
    const count = { runs: 0 };
    const controller = closing();
    controller.abort();
    const gate = new RebuildGate(async () => {
      count.runs += 1;
      if (count.runs === 1) throw new Error("no space left");
    }, controller.signal);
    await assert.rejects(gate.ask(), /no space left/);
    await gate.ask();
    assert.equal(count.runs, 2);
  });

  it("starts no further rebuild during shutdown", async () => {
    const controller = closing();
    const run = deferred<void>();
    const count = { runs: 0 };
    const gate = new RebuildGate(() => {
      count.runs += 1;
      return run.promise;
    }, controller.signal);
    const first = gate.ask();
    await gate.ask();
    controller.abort();
    run.resolve();
    await first;
    assert.equal(count.runs, 1);
  });
});
