import type { Field } from "#kernel";
import type { FlexType } from "../flex/contract.js";
import { comment, schemaType } from "./json-schema-type.js";
import { toKey, toTypeName } from "./names.js";

/** The items of a `list` are not checked; hand-written ones are texts. */
const LIST = "readonly string[]";

/** A flex type and the interface name of its records. */
export interface NamedType {
  readonly type: FlexType;
  readonly interfaceName: string;
}

/**
 * Adds interface names to types: `boat-trip` has `BoatTripRecord`. If types would share a name (`a-b`,
 * `a_b`), each but the first gets a number.
 */
export function namedTypes(types: readonly FlexType[]): NamedType[] {
  const uses = new Map<string, number>();
  return types.map((type) => {
    const interfaceName = `${toTypeName(type.name)}Record`;
    const use = (uses.get(interfaceName) ?? 0) + 1;
    uses.set(interfaceName, use);
    return { type, interfaceName: use === 1 ? interfaceName : `${interfaceName}${use}` };
  });
}

/** An interface for the records of a flex type, as the API returns them. */
export function recordInterface({ type, interfaceName }: NamedType): string {
  const lines = type.fields.map((field) => {
    const mark = field.required || field.default !== undefined ? "" : "?";
    const label = comment({ description: field.label }, "  ");
    return `${label}  readonly ${toKey(field.name)}${mark}: ${valueType(field)};`;
  });
  return [
    `/** A record of flex type ${JSON.stringify(type.name)}. */`,
    `export interface ${interfaceName} {`,
    ...["_id", "_type"].map((name) => `  readonly ${name}: string;`),
    ...["_createdAt", "_updatedAt"].map((name) => `  readonly ${name}: number;`),
    ...lines,
    "}",
  ].join("\n");
}

function valueType(field: Field): string {
  return field.type === "list" ? LIST : schemaType(field.kind.jsonSchema(field), "  ");
}
