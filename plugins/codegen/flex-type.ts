import type { FlexField, FlexType } from "../flex/contract.js";
import { comment } from "./json-schema-type.js";
import { toKey, toTypeName, toUnion } from "./names.js";

/** Kinds of fields whose value is not text. */
const TYPES: Readonly<Record<string, string>> = {
  number: "number",
  toggle: "boolean",
  list: "readonly string[]",
};

/** Name of the interface of a type's records. */
export function recordName({ name }: FlexType): string {
  return `${toTypeName(name)}Record`;
}

/** An interface for the records of a flex type, as the API shows them. */
export function recordInterface(type: FlexType): string {
  const lines = type.fields.map((field) => {
    const mark = field.required || field.default !== undefined ? "" : "?";
    const label = comment({ description: field.label }, "  ");
    return `${label}  readonly ${toKey(field.name)}${mark}: ${valueType(field)};`;
  });
  return [
    `/** A record of flex type ${JSON.stringify(type.name)}. */`,
    `export interface ${recordName(type)} {`,
    ...["_id", "_type"].map((name) => `  readonly ${name}: string;`),
    ...["_createdAt", "_updatedAt"].map((name) => `  readonly ${name}: number;`),
    ...lines,
    "}",
  ].join("\n");
}

function valueType(field: FlexField): string {
  if (field.options.length > 0) return toUnion(field.options.map(({ value }) => value));
  return TYPES[field.type] ?? "string";
}
