import assert from "node:assert/strict";
import { mock } from "node:test";
import { type Settings, silentLog } from "#kernel";
import { HookContexts, type CallScope } from "../../../kernel/hooks/hooks.js";
import { Propagation, withinLimit } from "../../../kernel/hooks/hook-call.js";
import { areAlike } from "../../support/hidden-class.js";

describe("the contexts of a bus", () => {
  const parts = (): CallScope => ({
    // A context passes the settings on and reads none of them.
    settings: {} as unknown as Settings,
    log: silentLog,
    limit: new AbortController(),
    closing: new AbortController().signal,
  });
  const call = () => new Propagation("onCacheInvalidate", { keys: ["a"] });

  it("show the current payload, also to destructuring", () => {
    const state = call();
    const context = new HookContexts().of(state, parts());
    const { setData, stopPropagation, event } = context;
    setData({ keys: ["b"] });
    stopPropagation();
    assert.deepEqual([context.data, event], [{ keys: ["b"] }, "onCacheInvalidate"]);
    assert.ok(state.stopped);
  });

  it("share a hidden class within a bus, but not between buses", () => {
    const [one, other] = [new HookContexts(), new HookContexts()];
    one.extend("added", () => 1);
    const made = Array.from({ length: 20 }, () => one.of(call(), parts()));
    const [first, ...others] = made;
    assert.ok(first !== undefined && others.every((context) => areAlike(first, context)));
    assert.ok("added" in first && !("added" in other.of(call(), parts())));
  });

  for (const [when, abort] of Object.entries({
    "its time is over": ({ limit }: CallScope & { site: AbortController }) => limit.abort(),
    "the site closes": ({ site }: CallScope & { site: AbortController }) => site.abort(),
  })) {
    it(`abort their signal when ${when}, whether it was read before or is read after`, () => {
      const site = new AbortController();
      const own = { ...parts(), closing: site.signal, site };
      const [early, late] = [
        new HookContexts().of(call(), own),
        new HookContexts().of(call(), own),
      ];
      assert.equal(early.signal.aborted, false);
      abort(own);
      assert.deepEqual([early.signal.aborted, late.signal.aborted], [true, true]);
    });
  }

  it("abort it for a handler that does not settle within five seconds, which fails", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const limit = new AbortController();
      const waiting = withinLimit(new Promise(() => undefined), limit, 'plugin "p" at onRequest');
      mock.timers.tick(4_999);
      assert.equal(limit.signal.aborted, false);
      mock.timers.tick(1);
      await assert.rejects(waiting, {
        code: "ERR_HOOK_TIMEOUT",
        message: /plugin "p" at onRequest/,
      });
      assert.equal(limit.signal.aborted, true);
    } finally {
      mock.timers.reset();
    }
  });
});
