import assert from "node:assert/strict";
import type { Engines } from "#kernel";
import { SlotRegistry } from "../../kernel/engines.js";

describe("SlotRegistry", () => {
  const engine = { take: () => ({ allowed: true, retryAfterSeconds: 0 }) } as Engines["rateLimit"];
  const open = () => {
    const slots = new SlotRegistry();
    return { slots, slot: slots.open("rateLimit", "security") };
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
    assert.throws(() => slots.open("rateLimit", "security"), { code: "ERR_ENGINE_SLOT_OPEN" });
    assert.throws(() => slots.slot("ratelimit" as "rateLimit"), {
      code: "ERR_ENGINE_SLOT_UNKNOWN",
    });
    assert.equal(slots.slot("rateLimit"), slot);
    slots.seal();
    assert.throws(() => slot.register("late", engine), { code: "ERR_SEALED" });
  });

  it("takes the implementation of a plugin under its name, and nothing when no plugin opens the slot", () => {
    const { slots, slot } = open();
    slot.register("memory", engine);
    const other = { ...engine };
    slots.forPlugin("shared").fill("rateLimit", other);
    slots.forPlugin("media").fill("image", {} as Engines["image"]);
    assert.equal(slot.active, other);
    assert.deepEqual(slot.all, [engine, other]);
    assert.deepEqual(slots.list(), [
      { slot: "rateLimit", plugin: "security", engines: ["memory", "shared"], active: "shared" },
    ]);
    slots.seal();
    assert.throws(() => slots.forPlugin("late").fill("rateLimit", engine), { code: "ERR_SEALED" });
  });
});
