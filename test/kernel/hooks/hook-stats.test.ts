import assert from "node:assert/strict";
import { HandlerStats } from "../../../kernel/hooks/hook-stats.js";

describe("HandlerStats", () => {
  function counted() {
    const clock = { now: 1_000 };
    const stats = new HandlerStats("p", "onRequest", () => clock.now);
    const fail = (times: number): void => {
      for (let at = 0; at < times; at += 1) stats.failed(1, `failure ${at}`);
    };
    return { clock, stats, fail };
  }

  it("counts calls, failures and times", () => {
    const { stats } = counted();
    stats.succeeded(2);
    stats.failed(5, "no");
    assert.deepEqual(stats.row(), {
      plugin: "p",
      hook: "onRequest",
      calls: 2,
      errors: 1,
      totalMs: 7,
      maxMs: 5,
      open: false,
      lastError: "no",
    });
  });

  it("opens after five failures in a row, not after five among successes", () => {
    const { stats, fail } = counted();
    fail(4);
    stats.succeeded(1);
    fail(4);
    assert.equal(stats.isOpen(), false);
    fail(1);
    assert.equal(stats.isOpen(), true);
  });

  it("closes after a minute; then one failure opens it again, one success does not", () => {
    const { clock, stats, fail } = counted();
    fail(5);
    clock.now += 60_000;
    assert.equal(stats.isOpen(), false);
    fail(1);
    assert.equal(stats.isOpen(), true);
    clock.now += 60_000;
    stats.succeeded(1);
    fail(4);
    assert.equal(stats.isOpen(), false);
  });
});
