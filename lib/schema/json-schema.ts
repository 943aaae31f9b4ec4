import * as z from "zod";

/** Marks of `.meta({ … })`, and the keywords that they become. */
const MARKS = [
  ["privileged", "x-privileged"],
  ["outbound", "x-outbound"],
  ["grantsRole", "x-grants-role"],
] as const;
const HIDDEN = ["secret", "expand", "folder", ...MARKS.map(([mark]) => mark)];

/** JSON Schema (draft 2020-12) of the input of `schema`. */
export function inputJsonSchema(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema["secret"] === true) jsonSchema.writeOnly = true;
      for (const [mark, keyword] of MARKS) {
        if (jsonSchema[mark] === true) jsonSchema[keyword] = true;
      }
      for (const key of HIDDEN) delete jsonSchema[key];
      if (zodSchema instanceof z.ZodPrefault)
        jsonSchema.default = fullDefault(zodSchema) ?? jsonSchema.default;
    },
  });
}

/** The defaults of a block, instead of the `{}` that its schema declares. */
function fullDefault(schema: z.ZodPrefault): z.core.JSONSchema.BaseSchema["default"] {
  const parsed = schema.safeParse(undefined);
  return parsed.success ? JSON.parse(JSON.stringify(parsed.data)) : undefined;
}
