import assert from "node:assert/strict";
import { expectMethods, type Engines } from "#kernel";
import { SlotRegistry } from "../../../kernel/engines/engines.js";
import { asPlugin } from "../../../kernel/call-check.js";

describe("SlotRegistry", () => {
  const engine = { take: () => ({ allowed: true, retryAfterSeconds: 0 }) } as Engines["rateLimit"];
  const check = expectMethods(["take"]);
  const open = () => {
    const slots = new SlotRegistry();
    return { slots, slot: slots.forPlugin("security").open("rateLimit", check) };
  };

  it("activates one of several engines", () => {
    const { slot } = open();
    slot.register("memory", engine);
    assert.equal(slot.activeName, null);
    slot.activate("memory");
    assert.equal(slot.active, engine);
    assert.deepEqual([slot.activeName, slot.names], ["memory", ["memory"]]);
  });

  it("lists the engines when one is unknown or none is active", () => {
    const { slot } = open();
    slot.register("memory", engine);
    assert.throws(() => slot.activate("memroy"), {
      code: "ERR_ENGINE_UNKNOWN",
      fix: 'did you mean "memory"?',
    });
    assert.throws(() => slot.active, { code: "ERR_ENGINE_NONE", fix: /memory/ });
  });

  it("rejects a second engine with the same name, a slot opened twice, an unknown slot, and late engines", () => {
    const { slots, slot } = open();
    slot.register("memory", engine);
    assert.throws(() => slot.register("memory", engine), { code: "ERR_ENGINE_DUPLICATE" });
    assert.throws(() => slots.forPlugin("security").open("rateLimit", check), {
      code: "ERR_ENGINE_SLOT_OPEN",
    });
    for (const name of ["ratelimit", "mailer"] as const) {
      assert.throws(() => slots.forPlugin("mine").activate(name as "rateLimit", engine), {
        code: "ERR_ENGINE_SLOT_UNKNOWN",
      });
    }
    slots.seal();
    assert.throws(() => slot.register("late", engine), { code: "ERR_SEALED" });
  });

  for (const wrong of [{}, null, "shared", { take: true }] as never[]) {
    it(`names plugin, slot and method for ${JSON.stringify(wrong)}`, () => {
      const { slots } = open();
      assert.throws(() => slots.forPlugin("shared").activate("rateLimit", wrong), {
        code: "ERR_ENGINE_INVALID",
        message: /plugin "shared" registers the engine "shared" of slot "rateLimit": .*expected/,
      });
    });
  }

  it("takes the engine of one plugin instead of what the configuration chooses", () => {
    const { slots, slot } = open();
    slot.register("memory", engine);
    slot.activate("memory");
    const other = { ...engine };
    slots.forPlugin("shared").activate("rateLimit", other);
    assert.equal(slot.active, other);
    assert.deepEqual(slots.list(), [
      { slot: "rateLimit", plugin: "security", engines: ["memory", "shared"], active: "shared" },
    ]);
  });

  it("rejects the choices of two plugins, in setup and in create hooks, with both names", () => {
    const { slots, slot } = open();
    asPlugin("first", () => {
      slot.register("a", engine);
      slot.activate("a");
    });
    const expected = {
      code: "ERR_ENGINE_CONFLICT",
      message: /plugins "first" and "second" both activate an engine of slot "rateLimit"/,
    };
    assert.throws(() => slots.forPlugin("second").activate("rateLimit", engine), expected);
    assert.throws(() => asPlugin("second", () => slot.activate("second")), expected);
    slots.forPlugin("third").activate("rateLimit", engine, { wraps: "a" });
    assert.equal(slot.activeName, "third");
  });
});
