import * as z from "zod";
import type { ConfigFile } from "../contracts.js";
import type { MergedSchemas } from "./merge-schemas.js";

const TITLES: Readonly<Record<ConfigFile, string>> = {
  site: "site.yaml",
  system: "system.yaml",
  admin: "admin.yaml",
};

/** Marks of `.meta({ … })`, and the keywords that they become. */
const MARKS = [
  ["privileged", "x-privileged"],
  ["outbound", "x-outbound"],
  ["grantsRole", "x-grants-role"],
] as const;
const HIDDEN = ["secret", "expand", "folder", ...MARKS.map(([mark]) => mark)];

/**
 * JSON Schema (draft 2020-12) of one file, with a description and default for each key. Those of the
 * site and admin file include the admin keys below `admin:`.
 */
export function configJsonSchema(
  schemas: MergedSchemas,
  file: ConfigFile,
): Record<string, unknown> {
  const schema = file === "system" ? schemas.system : withAdmin(schemas[file], schemas.admin);
  return { ...blockJsonSchema(schema), title: TITLES[file] };
}

/** JSON Schema (draft 2020-12) of the input of `schema`. */
export function blockJsonSchema(schema: z.ZodType): Record<string, unknown> {
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

function withAdmin(schema: z.ZodObject, admin: z.ZodObject): z.ZodObject {
  const block = admin.describe("The keys of admin.yaml").optional();
  return z.strictObject({ ...schema.shape, admin: block });
}

/** The defaults of a block, instead of the `{}` that its schema declares. */
function fullDefault(schema: z.ZodPrefault): z.core.JSONSchema.BaseSchema["default"] {
  const parsed = schema.safeParse(undefined);
  return parsed.success ? JSON.parse(JSON.stringify(parsed.data)) : undefined;
}
