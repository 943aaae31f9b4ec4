/** A schema with a TypeScript type of its own, which documents cannot carry. */
export const TYPE = Symbol("TypeScript type");

/** The part of JSON Schema that configuration uses. */
interface JsonSchema {
  [TYPE]?: unknown;
  $ref?: unknown;
  allOf?: unknown;
  type?: unknown;
  const?: unknown;
  enum?: unknown;
  anyOf?: unknown;
  oneOf?: unknown;
  items?: unknown;
  properties?: unknown;
  required?: unknown;
  additionalProperties?: unknown;
  description?: unknown;
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** A TypeScript type for a JSON Schema; `unknown` for anything it cannot express. */
export function schemaType(schema: unknown, indent = ""): string {
  if (!isSchema(schema)) return "unknown";
  const override = schema[TYPE];
  if (typeof override === "string") return override;
  if (typeof schema.$ref === "string") return toTypeName(schema.$ref.split("/").at(-1) ?? "");
  if ("const" in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return formatUnion(schema.enum.map(literal));
  return combinedType(schema, indent) ?? plainType(schema, indent);
}

/** The type of a schema composed of others; null for any other. */
function combinedType({ anyOf, oneOf, allOf, ...schema }: JsonSchema, indent: string) {
  const of = (members: readonly unknown[]) => members.map((one) => schemaType(one, indent));
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return formatUnion(of(choices));
  if (Array.isArray(allOf)) return of(allOf).map(inParentheses).join(" & ");
  const { type } = schema;
  return Array.isArray(type)
    ? formatUnion(of(type.map((one) => ({ ...schema, type: one }))))
    : null;
}

function plainType(schema: JsonSchema, indent: string): string {
  if (schema.type === "array") return `readonly (${schemaType(schema.items, indent)})[]`;
  if (schema.type === "object") return objectType(schema, indent);
  return PLAIN[String(schema.type)] ?? "unknown";
}

function objectType(schema: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const rest = isSchema(schema.additionalProperties) ? schema.additionalProperties : null;
  if (properties.length === 0) {
    // Not `Record`: an alias may refer to itself below a member, not below another alias.
    return `{ readonly [name: string]: ${schemaType(rest, indent)} }`;
  }
  const lines = properties.map(([name, property]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${comment(property, inner)}${inner}readonly ${toKey(name)}${mark}: ${schemaType(property, inner)};\n`;
  });
  // An object with additional properties needs an index signature.
  const isOpen = rest !== null || schema.additionalProperties === true;
  if (isOpen) lines.push(`${inner}readonly [name: string]: unknown;\n`);
  return `{\n${lines.join("")}${indent}}`;
}

/** The description as a comment, which it must not close. */
export function comment(property: unknown, indent: string): string {
  if (!isSchema(property) || typeof property.description !== "string") return "";
  return `${indent}/** ${property.description.replace(/\*\//g, "*\u200b/").replace(/\s+/g, " ")} */\n`;
}

function literal(value: unknown): string {
  if (typeof value === "string") return toUnion([value]);
  const isPlain = typeof value === "number" || typeof value === "boolean" || value === null;
  return isPlain ? String(value) : "unknown";
}

function formatUnion(types: readonly string[]): string {
  return types.length === 0 ? "never" : [...new Set(types)].join(" | ");
}

/** Parentheses around a union, which binds less than its surroundings. */
function inParentheses(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** `my-search` as `MySearch`, without characters that are invalid in an identifier. */
export function toTypeName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[\p{L}_$]/u.test(joined) ? joined : `_${joined}`;
}

/** A property name in TypeScript, quoted if needed. */
export function toKey(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** A union of string literals; `never` without any. */
export function toUnion(values: readonly string[]): string {
  return values.length === 0 ? "never" : values.map((value) => JSON.stringify(value)).join(" | ");
}
