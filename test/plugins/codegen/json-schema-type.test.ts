import assert from "node:assert/strict";
import { schemaType } from "../../../plugins/codegen/json-schema-type.js";

describe("schemaType", () => {
  for (const [title, schema, type] of [
    ["plain values", { type: "integer" }, "number"],
    ["choices", { enum: ["a", 1, null] }, '"a" | 1 | null'],
    ["a constant", { const: 'quo"te' }, '"quo\\"te"'],
    ["alternatives", { anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    ["no alternatives", { enum: [] }, "never"],
    [
      "everything at once",
      { allOf: [{ type: ["string", "null"] }, { type: "string" }] },
      "(string | null) & string",
    ],
    ["several types", { type: ["string", "number"] }, "string | number"],
    ["lists", { type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
    [
      "maps",
      { type: "object", additionalProperties: { type: "boolean" } },
      "{ readonly [name: string]: boolean }",
    ],
    ["anything", true, "unknown"],
    ["what it does not know", { type: "tuple" }, "unknown"],
  ] as const) {
    it(`returns ${title}`, () => assert.equal(schemaType(schema), type));
  }

  it("quotes unusual keys and lets no description close its comment", () => {
    const properties = { "a-b": { type: "string", description: "ends */ here" } };
    const type = schemaType({ type: "object", properties, required: ["a-b"] });
    assert.match(type, /readonly "a-b": string;/);
    assert.equal(type.split("*/").length, 2);
  });
});
