import { z } from "zod";
import { QUERY_OPERATORS } from "./read-query.js";

/** A parameter that `readQuery` validates, with its description. */
export function described(schema: Readonly<Record<string, unknown>>) {
  return z.unknown().optional().meta(schema);
}

const text = { type: "string" };
const texts = { anyOf: [text, { type: "array", items: text }] };
const condition = {
  anyOf: [
    ...texts.anyOf,
    {
      type: "object",
      properties: Object.fromEntries(
        QUERY_OPERATORS.map((name) => {
          if (name === "exists") return [name, { type: "string", enum: ["true", "false"] }];
          return [name, name === "in" || name === "nin" ? texts : text];
        }),
      ),
      additionalProperties: false,
    },
  ],
};

/** The parameter `filter`. */
export const filterParameter = described({
  type: "object",
  // The last form is that of `filter[or]`.
  additionalProperties: {
    anyOf: [
      ...condition.anyOf,
      { type: "array", items: { type: "object", additionalProperties: condition } },
    ],
  },
  description: `filter[name]=value, filter[name][operator]=value, filter[or][0][name]=value; operators ${QUERY_OPERATORS.join(", ")}`,
});
