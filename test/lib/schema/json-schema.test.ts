import assert from "node:assert/strict";
import * as z from "zod";
import { inputJsonSchema } from "#lib/schema";

describe("inputJsonSchema", () => {
  const feed = z.strictObject({ items: z.int().default(20) }).prefault({});

  it("describes what may be written, in draft 2020-12", () => {
    const schema = inputJsonSchema(z.strictObject({ name: z.string().trim().default("x"), feed }));
    assert.equal(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert.equal(schema["required"], undefined);
    assert.doesNotThrow(() => z.fromJSONSchema(schema));
  });

  it("gives a block the defaults of its keys as its default", () => {
    const { feed: block } = Object(inputJsonSchema(z.strictObject({ feed }))["properties"]);
    assert.deepEqual(Object(block)["default"], { items: 20 });
  });

  it("turns marks into keywords, and leaves out those that are for the program", () => {
    const schema = inputJsonSchema(
      z.string().meta({ secret: true, privileged: true, outbound: true, expand: "late" }),
    );
    assert.deepEqual(
      Object.keys(schema).filter((key) => key !== "$schema"),
      ["type", "writeOnly", "x-privileged", "x-outbound"],
    );
  });
});
