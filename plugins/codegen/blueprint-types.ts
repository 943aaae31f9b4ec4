import type { Field } from "#kernel";
import { fieldsSchema } from "#kernel/internal";
import type { Blueprints } from "../content/contract.js";
import { schemaType } from "./json-schema-type.js";
import { toKey, toTypeName, toUnion } from "./names.js";

/** The types of page types and blocks: front matter by template, blocks by type. */
export function blueprintTypes(blueprints: Pick<Blueprints, "list" | "blocks">): string {
  const names = new Set(["PageFrontmatter"]);
  const pages = blueprints.list().map((one) => named(one, "Frontmatter", names));
  const blocks = blueprints.blocks().map((one) => named(one, "Block", names));
  const blockUnion = blocks.map(({ typeName }) => typeName).join(" | ") || "never";
  return [
    ...pages.map(
      ({ typeName, name, fields }) =>
        `/** Front matter of pages with the template ${JSON.stringify(name)}. */\nexport type ${typeName} = ${schemaType(fieldsSchema(fields))};`,
    ),
    ...blocks.map(
      ({ typeName, name, fields }) =>
        `/** A block of type ${JSON.stringify(name)}. */\nexport type ${typeName} = { readonly type: ${toUnion([name])} } & ${schemaType(fieldsSchema(fields))};`,
    ),
    `/** Template to the front matter of its pages. */\nexport interface PageFrontmatter {\n${linesOf(pages)}}`,
    `/** Any block. */\nexport type Block = ${blockUnion};`,
  ].join("\n\n");
}

interface Named {
  readonly name: string;
  readonly typeName: string;
  readonly fields: readonly Field[];
}

/** Names that would be equal (`a-b`, `a_b`) get a number, except the first. */
function named(
  { name, fields }: { name: string; fields: readonly Field[] },
  suffix: string,
  names: Set<string>,
): Named {
  const wanted = `${toTypeName(name)}${suffix}`;
  let typeName = wanted;
  for (let use = 2; names.has(typeName); use += 1) typeName = `${wanted}${use}`;
  names.add(typeName);
  return { name, typeName, fields };
}

function linesOf(types: readonly Named[]): string {
  return types.map(({ name, typeName }) => `  readonly ${toKey(name)}: ${typeName};\n`).join("");
}
