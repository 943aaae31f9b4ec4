import type { Field, QueryKind } from "../contracts.js";
import { isRecord } from "../is-record.js";

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
