import { escapeHtml } from "#kernel";
import { sha256 } from "#lib/secrets";
import { toObject } from "./document.js";
import type { JsonObject, OpenApiDocument, Operation, OperationResponse } from "./contract.js";

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** Renders the document as one HTML page, without scripts or external resources. */
export function docsPage(document: OpenApiDocument): string {
  const tags = byTag(document);
  const title = escapeHtml(`${document.info.title}: the API`);
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>`,
    `<link rel="stylesheet" href="${DOCS_STYLE_PATH}?v=${DOCS_STYLE_VERSION}"></head><body>`,
    `<a class="skip" href="#main">Skip to content</a><div class="page">${navigation(tags)}<main id="main">`,
    `<h1>${title}</h1><p class="lead">${inline(document.info.description)}</p>`,
    `<p>Version ${escapeHtml(document.info.version)}. For programs: `,
    `<a href="/_site/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>`,
    [...tags].map(([tag, operations]) => section(tag, operations)).join(""),
    schemas(document.components.schemas),
    `</main></div></body></html>`,
  ].join("");
}

function byTag({ paths }: OpenApiDocument): ReadonlyMap<string, readonly Listed[]> {
  const tags = new Map<string, Listed[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = "other"] = operation.tags;
      tags.set(tag, [...(tags.get(tag) ?? []), { method, path, operation }]);
    }
  }
  return new Map([...tags].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function navigation(tags: ReadonlyMap<string, unknown>): string {
  const items = [...tags.keys(), "schemas"].map(
    (tag) => `<li><a href="#tag-${escapeHtml(tag)}">${escapeHtml(tag)}</a></li>`,
  );
  return `<nav aria-label="Sections of the API"><ul>${items.join("")}</ul></nav>`;
}

function section(tag: string, operations: readonly Listed[]): string {
  const heading = `<h2 id="tag-${escapeHtml(tag)}">${escapeHtml(tag)}</h2>`;
  return heading + operations.map(operationView).join("");
}

function operationView({ method, path, operation }: Listed): string {
  const { operationId, summary } = operation;
  return [
    `<details id="${escapeHtml(operationId)}"><summary>`,
    `<span class="method ${escapeHtml(method)}">${escapeHtml(method.toUpperCase())}</span> `,
    `<code>${escapeHtml(path)}</code> <span class="what">${inline(summary)}</span></summary>`,
    `<div class="body">${permission(operation)}${parameters(operation)}${body(operation)}`,
    `<h3>Answers</h3><dl>${Object.entries(operation.responses).map(response).join("")}</dl></div></details>`,
  ].join("");
}

function permission(operation: Operation): string {
  const needed = operation["x-permission"];
  if (needed === undefined) return "";
  const what = needed === "any" ? "any signed-in user" : `<code>${escapeHtml(needed)}</code>`;
  return `<p>For ${what}.</p>`;
}

function parameters({ parameters: list = [] }: Operation): string {
  if (list.length === 0) return "";
  const properties = list.map(({ name, schema, description }) => {
    const note = description ?? schema["description"];
    return [name, { ...schema, ...(note !== undefined && { description: note }) }] as const;
  });
  const required = list.filter((parameter) => parameter.required).map(({ name }) => name);
  return `<h3>Parameters</h3>${schemaTree({ properties: Object.fromEntries(properties), required })}`;
}

function body({ requestBody }: Operation): string {
  if (requestBody === undefined) return "";
  const [type = "", { schema } = { schema: {} }] = Object.entries(requestBody.content)[0] ?? [];
  return `<h3>Body</h3><p><code>${escapeHtml(type)}</code></p>${schemaTree(schema)}`;
}

function response([status, { description, content = {} }]: [string, OperationResponse]): string {
  const [media] = Object.values(content);
  const schema = toObject(media?.schema);
  const shape = media === undefined ? "" : ` <span class="type">${typeText(schema)}</span>`;
  const tree = Number(status) < 400 ? schemaTree(schema) : "";
  return `<dt>${escapeHtml(status)}</dt><dd>${inline(description)}${shape}${tree}</dd>`;
}

function schemas(all: Record<string, JsonObject>): string {
  const views = Object.entries(all).map(([name, schema]) => {
    const description = typeof schema["description"] === "string" ? schema["description"] : "";
    return `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3><p>${inline(description)}</p>${schemaTree(schema)}`;
  });
  return `<h2 id="tag-schemas">schemas</h2>${views.join("")}`;
}

/** Converts `code` marks in text to HTML. */
function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** Maximum nesting that is shown; deeper levels show `…`. */
const MAX_DEPTH = 6;
const SCHEMAS = "#/components/schemas/";

/** A schema's type in one line of HTML: `string`, `Page[]`, `"asc" | "desc"`. */
function typeText(schema: JsonObject): string {
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
function schemaTree(schema: JsonObject, depth = 0): string {
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

/** URL of the style sheet of `/_site/docs`. */
export const DOCS_STYLE_PATH = "/_site/docs.css";

/** The style sheet of `/_site/docs`. */
export const DOCS_STYLE = `:root{color-scheme:light dark;--ink:#1c1b22;--dim:#56545f;--line:#dcdae2;--paper:#fff;--card:#f7f6fa;--link:#4338ca;
--get:#0f6b47;--post:#1d4ed8;--put:#8a4b00;--patch:#6d28d9;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#ecebf2;--dim:#b3b0c0;--line:#3a3847;--paper:#15141b;--card:#1e1d26;--link:#a5b4fc;
--get:#6ee7b7;--post:#93c5fd;--put:#fcd34d;--patch:#c4b5fd;--delete:#fca5a5}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--link);text-underline-offset:.15em}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
.page{display:grid;gap:2.5rem;max-width:72rem;margin:0 auto;padding:2rem 1.25rem 5rem}
@media(min-width:56rem){.page{grid-template-columns:13rem minmax(0,1fr)}nav{position:sticky;top:2rem;align-self:start;max-height:calc(100vh - 4rem);overflow-y:auto}}
nav ul{list-style:none;margin:.5rem 0;padding:0}nav li{margin:.3rem 0}nav h2{font-size:.85rem;color:var(--dim);margin:0}
h1{font-size:clamp(1.7rem,4vw,2.4rem);line-height:1.15;letter-spacing:-.02em;margin:0 0 .6rem}
h2{font-size:1.25rem;margin:2.4rem 0 .8rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}.lead{color:var(--dim);max-width:44rem;margin:0 0 .6rem}
details{border:1px solid var(--line);border-radius:.6rem;margin:.5rem 0;background:var(--card)}
summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.3rem .8rem;padding:.65rem .9rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}summary .what{color:var(--dim);flex:1 1 16rem}
summary::after{content:"+";font-weight:700;color:var(--dim)}details[open]>summary::after{content:"–"}
details[open]>summary{border-bottom:1px solid var(--line)}.body{padding:.2rem .9rem 1rem}
.method{font:700 .8rem/1 ui-monospace,monospace;min-width:4.2rem;color:var(--ink)}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}.delete{color:var(--delete)}
code,.type{font:.9em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}.type{color:var(--dim)}
.note{color:var(--dim)}.tree{list-style:none;margin:.3rem 0;padding-left:1rem;border-left:2px solid var(--line)}.tree li{margin:.25rem 0}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.35rem 1rem;margin:.4rem 0}dt{font-weight:600}dd{margin:0}`;

/** Digest of the style sheet, so that its URL changes with its content. */
export const DOCS_STYLE_VERSION = sha256(DOCS_STYLE).slice(0, 10);
