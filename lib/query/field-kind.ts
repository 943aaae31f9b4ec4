import type { Field } from "#lib/fields";
import { isRecord } from "#lib/values";
import type { QueryKind } from "./contract.js";

const KINDS: Readonly<Record<string, QueryKind>> = {
  number: "number",
  integer: "number",
  boolean: "boolean",
  string: "text",
};

/** How values of a field compare: its JSON Schema tells, lists compare by their items. */
export function queryKindOf(field: Field): QueryKind {
  return kindOfSchema(field.kind.jsonSchema(field));
}

function kindOfSchema(schema: unknown): QueryKind {
  if (!isRecord(schema)) return "any";
  const { type, format, items } = schema;
  if (type === "array") return kindOfSchema(items);
  if (format === "date" || format === "date-time") return "date";
  return typeof type === "string" && Object.hasOwn(KINDS, type) ? (KINDS[type] ?? "any") : "any";
}
