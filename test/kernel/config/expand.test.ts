import assert from "node:assert/strict";
import * as z from "zod";
import { createEnv } from "../../../kernel/config/env.js";
import { expandValues } from "../../../kernel/config/expand.js";

const env = createEnv({ A: "1", B: "text", T: "true", NEST: "$A" });
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
      env,
    );
    assert.deepEqual([value, unset], [{ number: 1, text: "1", flag: true, other: ["1"] }, []]);
  });

  it("leaves a variable of the wrong type to the validation", () => {
    assert.deepEqual(expandValues({ number: "$B", flag: "$A" }, schema, env).value, {
      number: "text",
      flag: "1",
    });
  });

  it("happens once: a value from the environment is not expanded again", () => {
    assert.deepEqual(expandValues({ text: "$NEST" }, schema, env).value, { text: "$A" });
  });

  it("omits unset variables and reports them, but not in blocks marked late", () => {
    const { value, unset } = expandValues(
      { a: [{ b: "$X", c: 1 }], late: { text: "$X" } },
      schema,
      env,
    );
    assert.deepEqual(value, { a: [{ c: 1 }], late: { text: "$X" } });
    assert.deepEqual(unset, [{ path: ["a", 0, "b"], variable: "X", received: "$X" }]);
  });

  it("requires nothing below `enabled: false`", () => {
    const { unset } = expandValues(
      { block: { enabled: false, deep: { key: "$X" } }, on: { enabled: true, key: "$X" } },
      undefined,
      env,
    );
    assert.deepEqual(
      unset.map(({ path }) => path),
      [["on", "key"]],
    );
  });

  it("does not change its input", () => {
    const data = Object.freeze({ text: "$A", list: Object.freeze(["$A"]) });
    expandValues(data, schema, env);
    assert.deepEqual(data, { text: "$A", list: ["$A"] });
  });
});
