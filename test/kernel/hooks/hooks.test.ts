import assert from "node:assert/strict";
import { expectFields, type HookHandler, type Settings, silentLog } from "#kernel";
import { HookBus } from "../../../kernel/hooks/hooks.js";
import { RecordedLog } from "#lib/testing";

const settings = {} as Settings;

function createBus() {
  const clock = { now: 0 };
  const bus = new HookBus({
    settings: () => settings,
    log: silentLog,
    signal: new AbortController().signal,
    now: () => clock.now,
  });
  bus.declare("kernel", {
    onConfigLoaded: "create",
    onApiRequest: "transform",
    onRequest: "transform",
    onResponse: "notify",
  });
  return { bus, clock };
}
const append =
  (letter: string): HookHandler<"onRequest"> =>
  ({ data, setData }) => {
    const type = (data.answer?.type ?? "") + letter;
    setData({ ...data, answer: { type, body: "" } });
  };
const nothing = { req: {} as never, answer: null };

describe("HookBus", () => {
  it("resolves a transform without handlers with the same payload", async () => {
    const { bus } = createBus();
    assert.equal(await bus.transform("onRequest", nothing), nothing);
  });

  it("rejects a handler that is no function, with plugin and hook", () => {
    const hooks = createBus().bus.forPlugin("shop", 0);
    assert.throws(() => hooks.on("onRequest", 42 as never), {
      code: "ERR_HOOK_HANDLER",
      message: 'plugin "shop" handles onRequest: expected a function, received 42',
    });
  });

  it("rejects, never throws, when a transform fails", async () => {
    const { bus } = createBus();
    const result = bus.transform("onResponse" as "onRequest", nothing);
    await assert.rejects(result, { code: "ERR_HOOK_KIND" });
  });

  it("reports the plugin of each handler of a startup hook, with the payload that it leaves", async () => {
    const { bus } = createBus();
    const other = { ...settings } as Settings;
    bus.forPlugin("b", 2).on("onConfigLoaded", ({ setData }) => setData({ settings: other }));
    bus.forPlugin("a", 1).on("onConfigLoaded", () => undefined);
    const handled: unknown[] = [];
    await bus.run("onConfigLoaded", { settings }, (plugin, data) => {
      handled.push([plugin, data.settings === other]);
    });
    assert.deepEqual(handled, [
      ["a", false],
      ["b", true],
    ]);
  });

  it("runs handlers in plugin order, then by before and after, then by registration", async () => {
    const { bus } = createBus();
    bus.forPlugin("late", 9).on("onRequest", append("l"));
    bus.forPlugin("early", 1).on("onRequest", append("e"));
    bus.forPlugin("early", 1).on("onRequest", append("f"));
    bus.forPlugin("last", 10).on("onRequest", append("b"), { before: "early" });
    bus.forPlugin("first", 0).on("onRequest", append("a"), { after: "late" });
    const result = await bus.transform("onRequest", nothing);
    assert.equal(result.answer?.type, "befla");
  });

  it("ends the chain at stopPropagation and keeps the payload set so far", async () => {
    const { bus } = createBus();
    bus.forPlugin("one", 1).on("onRequest", append("1"));
    bus.forPlugin("two", 2).on("onRequest", ({ stopPropagation }) => stopPropagation());
    bus.forPlugin("three", 3).on("onRequest", append("3"));
    assert.equal((await bus.transform("onRequest", nothing)).answer?.type, "1");
  });

  it("skips a transform handler that throws and continues with the last payload", async () => {
    const { bus } = createBus();
    bus.forPlugin("one", 1).on("onRequest", append("1"));
    bus.forPlugin("bad", 2).on("onRequest", (ctx) => {
      append("x")(ctx)?.catch(() => undefined);
      throw new Error("boom");
    });
    bus.forPlugin("three", 3).on("onRequest", append("3"));
    assert.equal((await bus.transform("onRequest", nothing)).answer?.type, "13");
    const row = bus.stats().find(({ plugin }) => plugin === "bad");
    assert.deepEqual([row?.errors, row?.lastError], [1, "boom"]);
  });

  it("disables a handler after five failures in a row for a minute; then one more disables it, a success does not", async () => {
    const { bus, clock } = createBus();
    let calls = 0;
    let isBroken = true;
    bus.forPlugin("bad", 1).on("onRequest", () => {
      calls += 1;
      if (isBroken) throw new Error("boom");
    });
    const called = async (times: number): Promise<number> => {
      const before = calls;
      for (let at = 0; at < times; at += 1) await bus.transform("onRequest", nothing);
      return calls - before;
    };
    const succeeded = (): Promise<number> => {
      isBroken = false;
      return called(1).finally(() => (isBroken = true));
    };
    assert.equal(await called(4), 4);
    await succeeded();
    assert.equal(await called(7), 5);
    const [row] = bus.stats();
    assert.deepEqual(
      [row?.plugin, row?.hook, row?.calls, row?.errors, row?.open, row?.lastError],
      ["bad", "onRequest", 10, 9, true, "boom"],
    );
    assert.ok(row !== undefined && row.maxMs > 0 && row.totalMs > row.maxMs);
    clock.now += 60_000;
    assert.equal(await called(3), 1);
    clock.now += 60_000;
    await succeeded();
    assert.equal(await called(4), 4);
    assert.equal(bus.stats()[0]?.open, false);
  });

  it("says in dev, once, that a transform hook ignores what a handler returns", async () => {
    const log = new RecordedLog();
    const bus = new HookBus({
      settings: () => settings,
      log: log.logger,
      signal: new AbortController().signal,
      now: () => 0,
      isDev: true,
    });
    // A hook without a check of its payload.
    bus.declare("kernel", { onRequest: "transform" });
    bus.forPlugin("one", 1).on("onRequest", ({ data }) => data as never);
    for (let at = 0; at < 3; at += 1) await bus.transform("onRequest", nothing);
    assert.deepEqual(
      log.of("hook.value_ignored").map(({ fields }) => fields["plugin"]),
      ["one"],
    );
  });

  it("uses a field of the payload that a handler changes in place, unless the handler fails", async () => {
    const { bus } = createBus();
    bus.declare("shop", {
      onApiResponse: { kind: "transform", check: expectFields({ status: ["number"] }) },
    });
    const payload = (): { req: never; status: number; body: unknown } => ({
      req: {} as never,
      status: 200,
      body: "",
    });
    bus.forPlugin("changes", 1).on("onApiResponse", ({ data }) => void (data.body = "changed"));
    assert.equal((await bus.transform("onApiResponse", payload())).body, "changed");
    bus.forPlugin("fails", 2).on("onApiResponse", ({ data }) => {
      data.body = "half done";
      throw new Error("boom");
    });
    assert.equal((await bus.transform("onApiResponse", payload())).body, "changed");
  });

  it("stops the boot when a create handler throws, naming plugin and hook", async () => {
    const { bus } = createBus();
    bus.forPlugin("bad", 1).on("onConfigLoaded", () => Promise.reject(new Error("no config")));
    await assert.rejects(bus.run("onConfigLoaded", { settings }), {
      code: "ERR_HOOK_FAILED",
      message: 'plugin "bad" failed in onConfigLoaded: no config',
    });
  });

  it("never lets a notify handler affect the caller, and runs handlers in order", async () => {
    const { bus } = createBus();
    const told: (number | null)[] = [];
    bus.forPlugin("bad", 1).on("onResponse", () => {
      throw new Error("boom");
    });
    bus.forPlugin("good", 2).on("onResponse", async ({ data }) => {
      await new Promise((resolve) => setImmediate(resolve));
      told.push(data.status);
    });
    for (const status of [1, 2, 3])
      bus.notify("onResponse", { req: {} as never, status, durationMs: 0 });
    assert.deepEqual(told, []);
    await bus.settled();
    assert.deepEqual(told, [1, 2, 3]);
  });

  it("rejects an undeclared hook, with the nearest name", () => {
    const { bus } = createBus();
    bus.forPlugin("typo", 1).on("onReqest" as "onRequest", () => undefined);
    assert.throws(() => bus.assertKnown(), {
      code: "ERR_HOOK_UNKNOWN",
      fix: 'did you mean "onRequest"?',
    });
  });

  it("rejects the verb of another kind", () => {
    const { bus } = createBus();
    assert.throws(() => bus.notify("onRequest" as "onResponse", {} as never), {
      code: "ERR_HOOK_KIND",
    });
  });

  it("gives handlers the fields that plugins add to the context, computed on read", async () => {
    const { bus } = createBus();
    let reads = 0;
    bus.forPlugin("content", 0).extendContext("content" as never, (() => (reads += 1)) as never);
    const seen: unknown[] = [];
    bus.forPlugin("one", 1).on("onApiRequest", (ctx) => void seen.push((ctx as never)["content"]));
    await bus.transform("onApiRequest", { req: {} as never });
    assert.deepEqual([seen, reads], [[1], 1]);
  });
});
