import assert from "node:assert/strict";
import { mock } from "node:test";
import { messageOf } from "#lib/errors";
import { Propagation, withinLimit } from "../../../kernel/hooks/hook-call.js";

describe("withinLimit", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("resolves with the handler and does not abort its signal", async () => {
    const limit = new AbortController();
    await withinLimit(Promise.resolve(), limit, "a handler");
    mock.timers.tick(60_000);
    assert.equal(limit.signal.aborted, false);
  });

  it("passes on what the handler throws", async () => {
    const failing = Promise.reject(new Error("no"));
    await assert.rejects(withinLimit(failing, new AbortController(), "a handler"), /no/);
  });

  it("fails a handler that does not settle within five seconds, aborting its signal", async () => {
    const limit = new AbortController();
    const waiting = withinLimit(new Promise(() => undefined), limit, 'plugin "p" at onRequest');
    mock.timers.tick(4_999);
    assert.equal(limit.signal.aborted, false);
    mock.timers.tick(1);
    await assert.rejects(waiting, { code: "ERR_HOOK_TIMEOUT", message: /plugin "p" at onRequest/ });
    assert.equal(limit.signal.aborted, true);
  });
});

describe("Propagation", () => {
  it("starts with the payload, not stopped", () => {
    const data = { keys: [] };
    const propagation = new Propagation("onCacheInvalidate", data);
    assert.equal(propagation.data, data);
    assert.deepEqual([propagation.name, propagation.stopped], ["onCacheInvalidate", false]);
  });
});

describe("messageOf", () => {
  it("returns the message of any thrown value", () => {
    assert.deepEqual([new Error("a"), "b", undefined, 4].map(messageOf), [
      "a",
      "b",
      "undefined",
      "4",
    ]);
  });
});
