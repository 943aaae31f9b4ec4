import assert from "node:assert/strict";
import * as z from "zod";
import { expandValues, maskSecrets, variableName } from "#lib/schema";

const variables = new Map([
  ["A", "1"],
  ["B", "text"],
  ["T", "true"],
  ["NEST", "$A"],
]);
const schema = z.strictObject({
  number: z.int().default(0),
  text: z.string().default(""),
  flag: z.boolean().default(false),
  late: z.strictObject({ text: z.string() }).meta({ expand: "late" }).optional(),
});

describe("expanding variables", () => {
  it("converts to the type of the schema, else text", () => {
    const { value, unset } = expandValues(
      { number: "$A", text: "$A", flag: "$T", other: ["$A"] },
      schema,
      variables,
    );
    assert.deepEqual([value, unset], [{ number: 1, text: "1", flag: true, other: ["1"] }, []]);
  });

  it("leaves a variable of the wrong type to the validation", () => {
    assert.deepEqual(expandValues({ number: "$B", flag: "$A" }, schema, variables).value, {
      number: "text",
      flag: "1",
    });
  });

  it("happens once: a value from the environment is not expanded again", () => {
    assert.deepEqual(expandValues({ text: "$NEST" }, schema, variables).value, { text: "$A" });
  });

  it("omits unset variables and reports them, but not in blocks marked late", () => {
    const { value, unset } = expandValues(
      { a: [{ b: "$X", c: 1 }], late: { text: "$X" } },
      schema,
      variables,
    );
    assert.deepEqual(value, { a: [{ c: 1 }], late: { text: "$X" } });
    assert.deepEqual(unset, [{ path: ["a", 0, "b"], variable: "X", received: "$X" }]);
  });

  it("requires nothing below `enabled: false`", () => {
    const { unset } = expandValues(
      { block: { enabled: false, deep: { key: "$X" } }, on: { enabled: true, key: "$X" } },
      undefined,
      variables,
    );
    assert.deepEqual(
      unset.map(({ path }) => path),
      [["on", "key"]],
    );
  });

  it("does not change its input", () => {
    const data = Object.freeze({ text: "$A", list: Object.freeze(["$A"]) });
    expandValues(data, schema, variables);
    assert.deepEqual(data, { text: "$A", list: ["$A"] });
  });
});

describe("masking", () => {
  const masked = z.strictObject({
    key: z.string().meta({ secret: true }).describe("A key").optional(),
    keys: z.array(z.strictObject({ key: z.string().meta({ secret: true }) })).default([]),
    name: z.string().default(""),
    more: z.record(z.string(), z.unknown()).default({}),
  });

  it("covers values marked in a schema, at any depth", () => {
    const shown = maskSecrets({ key: "a", keys: [{ key: "b" }], name: "c" }, masked);
    assert.deepEqual(shown, { key: "***", keys: [{ key: "***" }], name: "c" });
  });

  it("covers values with a secret's name where there is no schema", () => {
    const more = {
      apiKey: "a",
      db_password: 7,
      tokens: ["x"],
      nested: { access_key: "b", secret: { deep: 1 } },
      colour: "red",
    };
    assert.deepEqual(maskSecrets({ more }, masked), {
      more: {
        apiKey: "***",
        db_password: "***",
        tokens: "***",
        nested: { access_key: "***", secret: "***" },
        colour: "red",
      },
    });
  });

  it("covers credentials in addresses", () => {
    assert.deepEqual(maskSecrets({ a: "redis://user:pw@host/1" }, undefined), {
      a: "redis://***@host/1",
    });
  });

  it("leaves references to variables and empty values unchanged", () => {
    assert.deepEqual(maskSecrets({ key: "$KEY", keys: [{ key: "" }] }, masked), {
      key: "$KEY",
      keys: [{ key: "" }],
    });
  });
});

describe("variableName", () => {
  it("returns the variable name of a reference", () => {
    assert.deepEqual(["$A_1", "${b}", "plain"].map(variableName), ["A_1", "b", null]);
  });
});
