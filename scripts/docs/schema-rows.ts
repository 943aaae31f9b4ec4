import { code } from "./table.js";

/** One key of a configuration file, or one parameter of a route. */
export interface SchemaRow {
  /** Dotted; `[]` stands for an item of a list, `<name>` for a key of the user's. */
  key: string;
  type: string;
  /** As JSON; null without one. */
  default: string | null;
  description: string;
  /** True when the admin API changes it only for holders of `plugins.manage`. */
  privileged: boolean;
}

const PRIVILEGED = "x-privileged";
type Schema = Readonly<Record<string, unknown>>;

/** The leaves of an object's JSON Schema, in order. */
export function schemaRows(schema: Schema, prefix = ""): SchemaRow[] {
  return Object.entries(objectOf(schema["properties"])).flatMap(([key, value]) =>
    rowsOf(objectOf(value), `${prefix}${key}`),
  );
}

function rowsOf(schema: Schema, key: string): SchemaRow[] {
  const inner = innerOf(schema, key);
  if (inner === null) return [toRow(schema, key)];
  const isBlockPrivileged = schema[PRIVILEGED] === true;
  const rows = schemaRows(inner.schema, inner.prefix).map((row) => ({
    ...row,
    privileged: row.privileged || isBlockPrivileged,
  }));
  return inner.isOwnRow ? [toRow(schema, key), ...rows] : rows;
}

interface Inner {
  schema: Schema;
  prefix: string;
  /** A list or a map is a key of its own; a block only has keys. */
  isOwnRow: boolean;
}

function innerOf(schema: Schema, key: string): Inner | null {
  const { items, additionalProperties } = schema;
  if (hasKeys(schema)) return { schema, prefix: `${key}.`, isOwnRow: false };
  const item = objectOf(items);
  if (hasKeys(item)) return { schema: item, prefix: `${key}[].`, isOwnRow: true };
  const value = objectOf(additionalProperties);
  if (hasKeys(value)) return { schema: value, prefix: `${key}.<name>.`, isOwnRow: true };
  return null;
}

function hasKeys(schema: Schema): boolean {
  return Object.keys(objectOf(schema["properties"])).length > 0;
}

function toRow(schema: Schema, key: string): SchemaRow {
  const fallback = schema["default"];
  return {
    key,
    type: typeOf(schema),
    default: fallback === undefined ? null : JSON.stringify(fallback),
    description: String(schema["description"] ?? ""),
    privileged: schema[PRIVILEGED] === true,
  };
}

function typeOf(schema: Schema): string {
  const { anyOf, oneOf, type, items, additionalProperties } = schema;
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) return unionOf(union.map((part) => typeOf(objectOf(part))));
  if (Array.isArray(type)) return unionOf(type.map((name) => typeOf({ ...schema, type: name })));
  if (Array.isArray(schema["enum"])) return unionOf(schema["enum"].map(toLiteral));
  if ("const" in schema) return toLiteral(schema["const"]);
  if (type === "array") return `list of ${inBrackets(typeOf(objectOf(items)))}`;
  if (type === "object" && !hasKeys(schema)) return mapType(objectOf(additionalProperties));
  return NAMES[String(type)] ?? "any value";
}

function toLiteral(value: unknown): string {
  return code(typeof value === "string" ? value : JSON.stringify(value));
}

function mapType(value: Schema): string {
  return Object.keys(value).length === 0 ? "map" : `map to ${inBrackets(typeOf(value))}`;
}

function inBrackets(type: string): string {
  return type.includes(" or ") ? `(${type})` : type;
}

function unionOf(parts: readonly string[]): string {
  return [...new Set(parts)].join(" or ");
}

const NAMES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "block",
  null: "null",
};

function objectOf(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
