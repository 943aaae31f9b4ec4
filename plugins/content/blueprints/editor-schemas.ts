/** JSON Schema of page types and blocks, for editors and the description of the API. */
import type { JsonSchema } from "#kernel";
import { fieldsSchema } from "#kernel/internal";
import type { Blueprints } from "../contract.js";

/** JSON Schema of front matter by template, and of blocks by `blocks/{type}`. */
export function editorSchemas(
  blueprints: Pick<Blueprints, "list" | "blocks">,
): Readonly<Record<string, JsonSchema>> {
  const pages = blueprints
    .list()
    .map(({ name, title, fields }) => [name, { title, ...fieldsSchema(fields) }] as const);
  const blocks = blueprints.blocks().map(({ name, label, fields }) => {
    const schema = fieldsSchema(fields);
    const properties = { type: { const: name }, ...Object(schema["properties"]) };
    const needed: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
    const required = ["type", ...needed];
    return [`blocks/${name}`, { title: label, ...schema, properties, required }] as const;
  });
  return Object.fromEntries([...pages, ...blocks]);
}
