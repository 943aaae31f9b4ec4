import assert from "node:assert/strict";
import {
  closeCall,
  closeEngines,
  EngineError,
  type Engines,
  expectFields,
  expectKind,
  expectMethods,
  expectNullable,
  HttpError,
} from "#kernel";
import { SlotRegistry } from "../../../kernel/engines/engines.js";
import { RecordedLog } from "#lib/testing";

type Store = Engines["sessionStore"];

const record = expectFields({ userId: ["string"] });

/** A slot whose engine is that of the plugin `tide`. */
function slotWith(engine: object, limitMs?: number) {
  const slots = new SlotRegistry();
  const slot = slots
    .forPlugin("session")
    .open("sessionStore", expectMethods(["get"], ["close", "claim"]), {
      get: { result: expectNullable(record), ...(limitMs !== undefined && { limitMs }) },
      claim: { result: expectKind("boolean") },
    });
  slots.forPlugin("tide").activate("sessionStore", engine as Store);
  return { slots, slot };
}

/** The error of a call. */
async function failureOf(work: () => unknown): Promise<EngineError> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof EngineError, String(error));
    return error;
  }
  return assert.fail("the call did not fail");
}

describe("a call of an engine of another plugin", () => {
  const broken = new Error("no moon tonight");
  for (const [what, get, code, reason] of [
    [
      "throws",
      () => {
        throw broken;
      },
      "ERR_ENGINE_FAILED",
      "no moon tonight",
    ],
    ["rejects", () => Promise.reject(broken), "ERR_ENGINE_FAILED", "no moon tonight"],
    ["hangs", () => new Promise(() => undefined), "ERR_ENGINE_FAILED", "no answer within 20 ms"],
    [
      "returns nothing",
      async () => undefined,
      "ERR_ENGINE_VALUE",
      "it returned a wrong value: expected an object, received nothing",
    ],
    [
      "returns another shape",
      () => ({ userId: 7 }),
      "ERR_ENGINE_VALUE",
      "it returned a wrong value: userId: expected a string, received 7",
    ],
    [
      "returns bytes",
      () => Buffer.alloc(5_000_000),
      "ERR_ENGINE_VALUE",
      "it returned a wrong value: userId: expected a string, received nothing; the fields of the object are 0, 1, 2",
    ],
  ] as const) {
    it(`names slot, method, engine and plugin when it ${what}`, async () => {
      const { slot } = slotWith({ get }, 20);
      const error = await failureOf(() => slot.active.get("a"));
      assert.equal(error.code, code);
      assert.deepEqual(error.of, {
        slot: "sessionStore",
        engine: "tide",
        enginePlugin: "tide",
        member: "get",
      });
      const who = '`sessionStore.get` of the engine "tide" of plugin "tide" failed: ';
      assert.ok(error.message.startsWith(who + reason), error.message);
      assert.ok(error.message.length < 400);
      assert.notEqual(error.fix, "");
      assert.equal(error.cause, ["throws", "rejects"].includes(what) ? broken : error.cause);
    });
  }

  it("returns what it returned, and keeps the code of a system error", async () => {
    const stored = { userId: "u1" };
    const full = Object.assign(new Error("full"), { code: "ENOSPC" });
    const { slot } = slotWith({ get: async () => stored, claim: () => Promise.reject(full) });
    assert.equal(await slot.active.get("a"), stored);
    assert.equal((await failureOf(() => slot.active.claim?.("a", 1))).code, "ENOSPC");
  });

  it("passes on an error that the contract names", async () => {
    const refused = new HttpError(403, "only for staff");
    const { slot } = slotWith({ get: () => Promise.reject(refused) });
    await assert.rejects(slot.active.get("a"), (error) => error === refused);
  });

  it("reaches a class with private fields, a frozen object, and members that are not watched", async () => {
    class Tide {
      readonly #records = new Map([["a", { userId: "u1" }]]);
      readonly limits = { readMs: 7 };
      get(id: string) {
        return this.#records.get(id) ?? null;
      }
      close(): number {
        return this.#records.size;
      }
    }
    const tide = new Tide();
    const { slot } = slotWith(tide);
    assert.deepEqual(await slot.active.get("a"), { userId: "u1" });
    assert.equal(slot.active.close?.(), 1 as never);
    assert.equal(slot.active.limits?.readMs, 7);
    assert.equal(slot.active.claim, undefined);
    assert.ok((slot.active as unknown) instanceof Tide);
    assert.equal(slot.active.get, slot.active.get);
    const frozen = slotWith(Object.freeze({ get: () => null }));
    assert.equal(await frozen.slot.active.get("a"), null);
    assert.deepEqual(Object.keys({ ...frozen.slot.active }), ["get"]);
  });

  it("is listed while it has not answered", async () => {
    const answer: { resolve?: (value: null) => void } = {};
    const { slots, slot } = slotWith({
      get: () => new Promise((resolve) => (answer.resolve = resolve)),
    });
    const before = performance.now();
    const pending = slot.active.get("a");
    assert.deepEqual(
      slots.awaitedSince(before).map(({ member }) => member),
      ["get"],
    );
    assert.deepEqual(slots.awaitedSince(performance.now() + 1), []);
    answer.resolve?.(null);
    await pending;
    assert.deepEqual(slots.awaitedSince(before), []);
  });

  it("is not watched for the plugin of the slot, which knows its engines", async () => {
    const slots = new SlotRegistry();
    const slot = slots
      .forPlugin("session")
      .open("sessionStore", expectMethods(["get"]), { get: { result: record } });
    const own = { get: () => 7 } as unknown as Store;
    slot.register("local", own);
    slot.activate("local");
    assert.equal(slot.active, own);
  });

  it("names the member of an object that another member returned", async () => {
    const slots = new SlotRegistry();
    slots.forPlugin("kernel").open("records", expectMethods(["log"]), {
      log: {
        result: expectMethods(["append"]),
        calls: { append: { result: expectKind("nothing") } },
      },
    });
    const log = () => ({ append: () => "done" });
    slots.forPlugin("tide").activate("records", { log } as unknown as Engines["records"]);
    const opened = slots.slot("records", "kernel").active.log({} as never);
    const error = await failureOf(() => opened.append([]));
    assert.equal(error.of.member, "log.append");
  });
});

describe("closing the engines of a slot", () => {
  it("closes each, also after one that fails or hangs, and logs who failed", async () => {
    const slots = new SlotRegistry({ maxLimitMs: 20 });
    const slot = slots
      .forPlugin("session")
      .open("sessionStore", expectMethods(["get"], ["close"]), { close: closeCall });
    const closed: string[] = [];
    const closing = {
      tide: () => Promise.reject(new Error("no moon tonight")),
      ebb: () => new Promise<never>(() => undefined),
      flood: async () => void closed.push("flood"),
    };
    for (const [name, close] of Object.entries(closing)) {
      const engine = { get: () => null, close } as unknown as Store;
      slots.forPlugin(name).slot("sessionStore").register(name, engine);
    }
    const log = new RecordedLog();
    await closeEngines(slot, log.logger);
    assert.deepEqual(closed, ["flood"]);
    assert.deepEqual(
      log.of("engine.close_failed").map(({ fields }) => [fields["engine"], fields["member"]]),
      [
        ["tide", "close"],
        ["ebb", "close"],
      ],
    );
  });
});

describe("an optional method of an engine", () => {
  it("that is no function is refused with plugin, slot and method", () => {
    assert.throws(() => slotWith({ get: () => null, close: 5 }), {
      code: "ERR_ENGINE_INVALID",
      message:
        'plugin "tide" registers the engine "tide" of slot "sessionStore": close: expected a function or nothing, received 5',
    });
  });
});
