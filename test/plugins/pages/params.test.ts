import assert from "node:assert/strict";
import { z } from "zod";
import { collectionsQuery, pagesQuery } from "../../../plugins/pages/params.js";

describe("the parameters of page lists", () => {
  for (const [name, schema] of Object.entries({ pagesQuery, collectionsQuery })) {
    it(`${name}: shows the defaults of limit and offset in its JSON Schema`, () => {
      const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      const defaultOf = (key: string): unknown => {
        const property = properties?.[key];
        return typeof property === "object" ? property.default : undefined;
      };
      assert.deepEqual([defaultOf("limit"), defaultOf("offset")], ["20", "0"]);
    });

    it(`${name}: means those defaults`, () => {
      const { limit, offset } = schema.parse({});
      assert.deepEqual([limit, offset], [20, 0]);
    });
  }
});
