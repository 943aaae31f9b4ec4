import { escapeHtml } from "#kernel";
import { toObject } from "./components.js";
import type { JsonObject } from "./contract.js";

/** Maximum nesting that is shown; deeper levels show `…`. */
const MAX_DEPTH = 6;
const SCHEMAS = "#/components/schemas/";

/** A schema's type in one line of HTML: `string`, `Page[]`, `"asc" | "desc"`. */
export function typeText(schema: JsonObject): string {
  const { $ref, const: constant, enum: options, anyOf, oneOf, type, items } = schema;
  if (typeof $ref === "string") return reference($ref);
  if (constant !== undefined) return escapeHtml(JSON.stringify(constant));
  if (Array.isArray(options)) return options.map((one) => typeText({ const: one })).join(" | ");
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) return union.map((one: unknown) => typeText(toObject(one))).join(" | ");
  if (type === "array") return `${listItem(toObject(items))}[]`;
  if (Array.isArray(type)) return escapeHtml(type.join(" | "));
  return typeof type === "string" ? escapeHtml(type) : "any";
}

function listItem(items: JsonObject): string {
  const text = typeText(items);
  return text.includes(" | ") ? `(${text})` : text;
}

function reference($ref: string): string {
  const name = $ref.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : $ref;
  return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

/** The properties of a schema as a nested HTML list; empty without properties. */
export function schemaTree(schema: JsonObject, depth = 0): string {
  if (depth > MAX_DEPTH) return "<p>…</p>";
  const { properties, additionalProperties, items, anyOf, oneOf } = schema;
  if (Array.isArray(anyOf ?? oneOf)) return unionTree(Object(anyOf ?? oneOf), depth);
  if (schema["type"] === "array") return schemaTree(toObject(items), depth + 1);
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const rows = Object.entries(toObject(properties)).map(([name, property]) =>
    row({ name, isRequired: required.has(name), schema: toObject(property), depth }),
  );
  const rest = toObject(additionalProperties);
  const isMap = Object.keys(rest).length > 0;
  if (isMap) rows.push(row({ name: "any name", isRequired: false, schema: rest, depth }));
  return rows.length === 0 ? "" : `<ul class="tree">${rows.join("")}</ul>`;
}

function unionTree(members: readonly unknown[], depth: number): string {
  const trees = members
    .map((member) => schemaTree(toObject(member), depth + 1))
    .filter((tree) => tree !== "");
  return trees.join("<p>or</p>");
}

interface Row {
  name: string;
  isRequired: boolean;
  schema: JsonObject;
  depth: number;
}

function row({ name, isRequired, schema, depth }: Row): string {
  const { description, default: byDefault } = schema;
  const notes = [
    isRequired ? "" : "optional",
    byDefault === undefined ? "" : `default ${escapeHtml(JSON.stringify(byDefault))}`,
    typeof description === "string" ? escapeHtml(description) : "",
  ].filter((note) => note !== "");
  return [
    `<li><code>${escapeHtml(name)}</code> <span class="type">${typeText(schema)}</span>`,
    notes.length === 0 ? "" : ` <span class="note">${notes.join("; ")}</span>`,
    schemaTree(schema, depth + 1),
    "</li>",
  ].join("");
}
