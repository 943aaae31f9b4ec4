import assert from "node:assert/strict";
import {
  ownThreadNumber,
  threadTimeMs,
  timeLeft,
} from "../../../../plugins/markdown/render/threads/thread-time.js";

describe("the time limit of a render thread", () => {
  it("counts processor time, and waits longer on a busy machine", () => {
    const limitMs = 1_500;
    assert.equal(timeLeft({ limitMs, processorMs: 1_500, passedMs: 1_500 }), "over");
    assert.equal(timeLeft({ limitMs, processorMs: 300, passedMs: 1_500 }), 1_200);
    assert.equal(timeLeft({ limitMs, processorMs: 1_499, passedMs: 20_000 }), 50);
    assert.equal(timeLeft({ limitMs, processorMs: 300, passedMs: 30_000 }), "busy");
  });

  it("reads the processor time of a thread", () => {
    const thread = ownThreadNumber();
    const before = threadTimeMs(thread);
    let turns = 0;
    while (threadTimeMs(thread) < before + 10) turns += 1;
    assert.ok(turns > 0);
    assert.ok(threadTimeMs(null) >= 10);
  });
});
