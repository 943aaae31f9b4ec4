import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { IdleTimer } from "../../../plugins/media/idle-timer.js";

describe("IdleTimer", () => {
  it("runs once after the last touch, and again after the next one", async () => {
    const events = new EventEmitter();
    const state = { rests: 0 };
    const timer = new IdleTimer(() => {
      state.rests += 1;
      events.emit("rest");
    }, 5);
    // The timer does not keep a process alive.
    const alive = setInterval(() => undefined, 1_000);
    const first = once(events, "rest");
    for (let count = 0; count < 10; count += 1) timer.touch();
    await first;
    assert.equal(state.rests, 1);
    const second = once(events, "rest");
    timer.touch();
    await second;
    assert.equal(state.rests, 2);
    clearInterval(alive);
  });
});
