import assert from "node:assert/strict";
import { definePlugin, type HookContext, type HookHandler, type SiteContext } from "#kernel";
import { Faults } from "../../../kernel/testing/faults.js";

const context = {} as HookContext<"onConfigLoaded">;

describe("Faults", () => {
  const ran: string[] = [];
  beforeEach(() => void (ran.length = 0));

  const plugin = definePlugin({
    name: "p",
    version: "1.0.0",
    hooks: {
      onConfigLoaded: { handler: () => void ran.push("declared"), before: "other" },
      onStorageReady: () => void ran.push("plain"),
    },
    setup(site) {
      site.hooks.on("onConfigLoaded", () => void ran.push("registered"), { after: "other" });
    },
  });

  /** The handler that an adapted plugin registers in its setup. */
  async function registered(faults: Faults): Promise<HookHandler<"onConfigLoaded">> {
    const found: unknown[][] = [];
    const on = (...words: unknown[]): void => void found.push(words);
    await faults.adapt(plugin).setup?.({ hooks: { on } } as unknown as SiteContext);
    const [name, handler, order] = found[0] ?? [];
    assert.deepEqual([name, order], ["onConfigLoaded", { after: "other" }]);
    assert.ok(typeof handler === "function");
    return (input) => handler(input);
  }

  it("leaves a plugin unchanged while nothing is broken, including the order of its handlers", async () => {
    const faults = new Faults();
    const declared = faults.adapt(plugin).hooks?.onConfigLoaded;
    assert.ok(typeof declared === "object");
    assert.equal(declared.before, "other");
    await declared.handler(context);
    await (
      await registered(faults)
    )(context);
    assert.deepEqual(ran, ["declared", "registered"]);
  });

  it("breaks the handlers of one plugin and hook, declared and registered, and counts", async () => {
    const faults = new Faults();
    const declared = faults.adapt(plugin).hooks?.onConfigLoaded;
    const inSetup = await registered(faults);
    assert.ok(typeof declared === "object");
    const fault = faults.add("p", "onConfigLoaded");
    const message = /crash of "p" in onConfigLoaded/;
    assert.throws(() => declared.handler(context), message);
    assert.throws(() => inSetup(context), message);
    assert.deepEqual([fault.thrown, ran], [2, []]);
    const other = faults.adapt(plugin).hooks?.onStorageReady;
    assert.ok(typeof other === "function");
    await other({} as HookContext<"onStorageReady">);
    assert.deepEqual(ran, ["plain"]);
  });

  it("works again once it is repaired", async () => {
    const faults = new Faults();
    faults.add("p", "onConfigLoaded");
    faults.remove("p", "onConfigLoaded");
    await (
      await registered(faults)
    )(context);
    assert.deepEqual(ran, ["registered"]);
  });

  it("does not change a plugin without hooks and setup", () => {
    const bare = definePlugin({ name: "bare", version: "1.0.0" });
    assert.deepEqual(new Faults().adapt(bare), bare);
  });
});
