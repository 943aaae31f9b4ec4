import assert from "node:assert/strict";
import { z } from "zod";
import { createEnv } from "../../../../kernel/config/env.js";
import { factoryBlock } from "../../../../kernel/config/plugins/plugin-configs.js";

const env = createEnv({ TOKEN: "t-1" });

describe("the argument of a plugin's factory", () => {
  it("is its block with variables expanded, without a schema", () => {
    const block = { token: "$TOKEN", list: [{ deep: "${TOKEN}" }], price: "$5" };
    const given = { token: "t-1", list: [{ deep: "t-1" }], price: "$5" };
    assert.deepEqual(factoryBlock(undefined, block, env), given);
    assert.deepEqual(factoryBlock("no schema", block, env), given);
  });

  it("has the defaults and the types of the schema beside it", () => {
    const schema = z.object({
      token: z.string(),
      size: z.coerce.number(),
      on: z.boolean().default(true),
    });
    const given = factoryBlock(schema, { token: "$TOKEN", size: "3" }, env);
    assert.deepEqual(given, { token: "t-1", size: 3, on: true });
  });

  it("is the unchanged block when the schema rejects it: the check of the configuration reports it", () => {
    const schema = z.strictObject({ size: z.number() });
    assert.deepEqual(factoryBlock(schema, { size: "large", x: 1 }, env), { size: "large", x: 1 });
  });

  it("is an object, whatever a schema returns", () => {
    assert.deepEqual(
      factoryBlock(
        z.unknown().transform(() => 7),
        {},
        env,
      ),
      {},
    );
    assert.deepEqual(
      factoryBlock(
        z.unknown().transform(() => null),
        {},
        env,
      ),
      {},
    );
  });

  it("is a copy: a factory cannot change the configuration", () => {
    const block = { a: 1 };
    factoryBlock(undefined, block, env)["a"] = 2;
    assert.deepEqual(block, { a: 1 });
  });
});
