import { readFile } from "node:fs/promises";
import { safeJoin, type CommandInput, isRecord } from "#kernel";
import { runningFile } from "#lib/packages";
import type { OpenApiDocument, Operation, Parameter, JsonObject } from "../openapi/contract.js";
import { codegenFailure } from "./errors.js";
import type { GeneratedFiles } from "./write-files.js";
import { comment, schemaType, TYPE, toKey, toTypeName } from "./json-schema-type.js";

/** Default file of a client, below the site's root. */
export const CLIENT_FILE = "client/site-client.ts";

/** The client of this site's API, written to the path given with `--out`. */
export async function clientFiles({
  site,
  root,
  options,
}: Pick<CommandInput, "site" | "root" | "options">): Promise<GeneratedFiles> {
  const path = typeof options["out"] === "string" ? options["out"] : CLIENT_FILE;
  if (safeJoin(root, path) === null || !path.endsWith(".ts")) {
    throw codegenFailure("ERR_CODEGEN_CLIENT", `--out is ${JSON.stringify(path)}`, {
      fix: `pass a .ts file below the site's folder, such as ${CLIENT_FILE}`,
    });
  }
  const openapi = (await site()).use("openapi", { optional: true });
  if (openapi === undefined) {
    throw codegenFailure("ERR_CODEGEN_CLIENT", "the plugin openapi is not selected", {
      fix: "select it: a client is generated from its document",
    });
  }
  const runtime = runningFile("plugins/codegen/scaffold/api-client.ts");
  const document = openapi.document(options["admin"] === true ? "admin" : "public");
  return new Map([[path, clientText(document, await readFile(runtime, "utf8"))]]);
}

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** An API client in one file: typed by the OpenAPI document, without dependencies. */
function clientText(document: OpenApiDocument, runtime: string): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${comment(schema, "")}export type ${toTypeName(name)} = ${schemaType(schema)};\n`,
  );
  return [
    "// Made by `site codegen client`: do not edit, change the routes instead.\n",
    ...schemas,
    siteTypesOfClient(document),
    runtime,
    "/** A client of the API. */\nexport function createClient(options: ClientOptions) {\n  return {\n",
    ...calls.map(callText),
    "  };\n}\n",
    "/** Result of `createClient`. */\nexport type Client = ReturnType<typeof createClient>;\n",
  ].join("\n");
}

function callText({ method, path, operation }: Call): string {
  const { operationId, summary, parameters = [], requestBody } = operation;
  const { generics, parameters: types, answer } = callTypes(path, operation);
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const members = [
    ...(inPath.length > 0 ? [`path: ${parametersText(inPath, types)}`] : []),
    ...(inQuery.length > 0 ? [queryMember(inQuery, types)] : []),
    ...(requestBody ? [`body: ${bodyText(requestBody)}`] : []),
  ];
  const isOptional = members.every((member) => member.startsWith("query?"));
  const input = members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
  const signature = `input: ${input} & CallOptions${isOptional ? " = {}" : ""}`;
  const call = [method.toUpperCase(), path, ...(isRaw(requestBody) ? ["raw"] : [])];
  return [
    comment({ description: `${summary} (${method.toUpperCase()} ${path})` }, "    "),
    `    ${toKey(operationId)}${generics}(${signature}): Promise<${answer}> {\n`,
    `      return call(options, [${call.map((word) => JSON.stringify(word)).join(", ")}], input);\n    },`,
  ].join("");
}

type ParameterTypes = CallTypes["parameters"];

function queryMember(parameters: readonly Parameter[], types: ParameterTypes): string {
  const isNeeded = parameters.some(({ required }) => required);
  return `query${isNeeded ? "" : "?"}: ${parametersText(parameters, types)}`;
}

function parametersText(parameters: readonly Parameter[], types: ParameterTypes): string {
  const properties = parameters.map(({ name, schema, description }) => {
    const typed = Object.hasOwn(types, name) ? { [TYPE]: types[name] } : schema;
    return [name, description === undefined ? typed : { ...typed, description }];
  });
  const required = parameters.filter((at) => at.required).map(({ name }) => name);
  const all = { type: "object", properties: Object.fromEntries(properties), required };
  return schemaType({ ...all, additionalProperties: false }, "    ");
}

/** A body that is sent unchanged, not as JSON. */
function isRaw(body: Operation["requestBody"]): boolean {
  return body !== undefined && !("application/json" in body.content);
}

function bodyText({ content }: NonNullable<Operation["requestBody"]>): string {
  const json = content["application/json"];
  return json === undefined ? "BodyInit" : schemaType(json.schema, "    ");
}

/** The types of a call that follow from its arguments. */
interface CallTypes {
  /** Type parameters: `<F extends …>`, or empty. */
  readonly generics: string;
  /** Types of parameters that are narrower than their schemas. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly answer: string;
}

const RECORDS = "/api/flex/{type}";
const ANY_ITEM = "{ readonly [name: string]: unknown }";
const F = "F extends string | undefined = undefined";
const T = "T extends string | undefined = undefined";
const R = "R extends keyof FlexRecords";

/** The types of an operation: lists of pages follow their template, records their type, items `fields`. */
function callTypes(path: string, operation: Operation): CallTypes {
  if (path === `${RECORDS}/{id}`) {
    return { generics: `<${R}>`, parameters: { type: "R" }, answer: "FlexRecords[R]" };
  }
  if (path === RECORDS) return recordList();
  const forms = sparseForms(operation);
  if (forms === null) return { generics: "", parameters: {}, answer: answerText(operation) };
  const [whole, sparse] = forms;
  if (!hasTemplates(operation)) {
    const answer = `F extends string ? ${sparse} : ${whole}`;
    return { generics: `<${F}>`, parameters: { fields: "F" }, answer };
  }
  return {
    generics: `<${F}, ${T}>`,
    parameters: { fields: "F", template: "T", filter: "PageFilter<T>" },
    answer: `F extends string ? ${sparse.replace(ANY_ITEM, "SparsePage<T>")} : ${whole}`,
  };
}

/** Includes add names to records that their type does not have. */
function recordList(): CallTypes {
  const added = (type: string): string => `readonly (${type} & ${ANY_ITEM})[]`;
  return {
    generics: `<${R}, ${F}>`,
    parameters: { type: "R", fields: "F", filter: "RecordFilter<R>" },
    answer: `F extends string ? ${added("Partial<FlexRecords[R]>")} : ${added("FlexRecords[R]")}`,
  };
}

/** True for lists of pages, whose front matter follows from their template. */
function hasTemplates({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === "template");
}

/** The results of a list without and with `fields`, which makes items sparse. Null for others. */
function sparseForms({ parameters = [], responses }: Operation): readonly [string, string] | null {
  const schema = responses["200"]?.content?.["application/json"]?.schema;
  const forms = schema?.["anyOf"];
  const hasFields = parameters.some(({ name }) => name === "fields");
  if (!hasFields || !Array.isArray(forms) || forms.length !== 2) return null;
  const [whole, sparse]: readonly unknown[] = forms;
  return [schemaType(whole, "    "), schemaType(sparse, "    ")];
}

/** The result of a call: the JSON of a successful response, or `Response` without JSON. */
function answerText({ responses }: Operation): string {
  const texts = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content }]) => {
      const json = content?.["application/json"];
      return json === undefined ? "Response" : schemaType(json.schema, "    ");
    });
  return texts.length === 0 ? "Response" : [...new Set(texts)].join(" | ");
}

/** Keys of page items; a bare name means them, not a field of the same name. */
const PAGE_KEYS: Readonly<Record<string, string>> = {
  route: "string",
  title: "string",
  date: "string",
  datetime: "string",
  template: "string",
  format: "string",
  lang: "string",
  order: "NumberValue",
  published: "BooleanValue",
};
/** Records filter by every field, pages also by `frontmatter.<name>`. */
const PAGE_NAMES = Object.entries(PAGE_KEYS)
  .map(([name, type]) => `  readonly ${name}: ${type};\n`)
  .join("");

/** Types of what a site declares: front matter by template, records by type, and what filters accept. */
function siteTypesOfClient({ components }: OpenApiDocument): string {
  const all = Object.entries(components.schemas);
  const pages = marked(all, "x-template");
  const records = marked(all, "x-flex-type");
  return [
    `/** Template to the front matter of its pages. */\nexport interface PageFrontmatter {\n${formatTypes(pages)}}\n`,
    `/** Record type to its records. */\nexport interface FlexRecords {\n${formatTypes(records)}}\n`,
    `/** Names that filters of pages know in any list. */\nexport interface PageKeys {\n${PAGE_NAMES}  readonly [name: \`taxonomy.\${string}\`]: string;\n  readonly [name: \`frontmatter.\${string}\`]: FilterValue;\n}\n`,
    `/** Template to the names that filters know. */\nexport interface PageNames {\n${pages.map(pageNames).join("")}}\n`,
    `/** Record type to the names that filters know. */\nexport interface RecordNames {\n${records.map(recordNames).join("")}}\n`,
    HELPERS,
  ].join("\n");
}

interface Marked {
  /** Template or record type. */
  readonly name: string;
  readonly typeName: string;
  readonly schema: JsonObject;
}

function marked(all: readonly (readonly [string, JsonObject])[], mark: string): Marked[] {
  return all.flatMap(([typeName, schema]) => {
    const name = schema[mark];
    return typeof name === "string" ? [{ name, typeName: toTypeName(typeName), schema }] : [];
  });
}

function formatTypes(types: readonly Marked[]): string {
  return types.map(({ name, typeName }) => `  readonly ${toKey(name)}: ${typeName};\n`).join("");
}

function pageNames({ name, schema }: Marked): string {
  const siteFields = filterNames(schema).filter(([path]) => !Object.hasOwn(PAGE_KEYS, path));
  // Inside values without declared fields, such as blocks, any name may exist.
  const inside = siteFields.filter(([, type]) => type === "FilterValue");
  const patterns = inside.map(
    ([path]) => `    readonly [name: \`${path}.\${string}\`]: FilterValue;\n`,
  );
  return `  readonly ${toKey(name)}: PageKeys & {\n${namesText(siteFields)}${patterns.join("")}  };\n`;
}

function recordNames({ name, schema }: Marked): string {
  return `  readonly ${toKey(name)}: {\n${namesText(filterNames(schema))}  };\n`;
}

type FilterName = readonly [path: string, type: string];

function namesText(names: readonly FilterName[]): string {
  // `filter[or]` has the alternatives.
  const usable = names.filter(([path]) => path !== "or");
  return usable.map(([path, type]) => `    readonly ${toKey(path)}: ${type};\n`).join("");
}

/** The paths to values of a schema (`price`, `size.length`), with the type of a value to compare with. */
function filterNames(schema: JsonObject, prefix = ""): FilterName[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix + name;
    const value = isRecord(property) ? unwrapItems(property) : {};
    const inner = filterNames(value, `${path}.`);
    return [[path, valueType(value)] as const, ...inner];
  });
}

/** A condition on a list holds for one of its items. */
function unwrapItems(schema: JsonObject): JsonObject {
  const { type, items } = schema;
  return type === "array" && isRecord(items) ? unwrapItems(items) : schema;
}

function valueType({ type, enum: options }: JsonObject): string {
  if (type === "number" || type === "integer") return "NumberValue";
  if (type === "boolean") return "BooleanValue";
  const isChoice = Array.isArray(options) && options.every((one) => typeof one === "string");
  if (isChoice && options.length > 0) return options.map((one) => JSON.stringify(one)).join(" | ");
  return type === "string" ? "string" : "FilterValue";
}

const HELPERS = `type NumberValue = number | \`\${number}\`;
type BooleanValue = boolean | "true" | "false";
/** A value that filters compare with. */
export type FilterValue = string | number | boolean;

/** A filter on one name: a value, several of which one is enough, or operators. */
export type Condition<V> =
  | V
  | readonly V[]
  | {
      readonly eq?: V;
      readonly ne?: V;
      readonly lt?: V;
      readonly lte?: V;
      readonly gt?: V;
      readonly gte?: V;
      /** Several values, or one text with commas between them. */
      readonly in?: string | readonly V[];
      readonly nin?: string | readonly V[];
      readonly contains?: FilterValue;
      readonly startsWith?: string;
      readonly exists?: BooleanValue;
    };

/** Conditions that hold together. */
export type Conditions<Names> = { readonly [N in keyof Names]?: Condition<Names[N]> };

/** Conditions that hold together; of \`or\`, one group is enough. */
export type Filter<Names> = Conditions<Names> & { readonly or?: readonly Conditions<Names>[] };

/** A filter on any names; the site checks them. */
export interface AnyFilter {
  readonly [name: string]:
    | Condition<FilterValue>
    | readonly { readonly [name: string]: Condition<FilterValue> }[];
}

/** The filter of a list of pages: typed by their template. */
export type PageFilter<T> = T extends keyof PageNames ? Filter<PageNames[T]> : AnyFilter;

/** The filter of a list of records. */
export type RecordFilter<T extends keyof FlexRecords> = Filter<RecordNames[T]>;

/** The front matter of pages with a template; of others, anything. */
export type FrontmatterOf<T> = T extends keyof PageFrontmatter
  ? PageFrontmatter[T]
  : { readonly [name: string]: unknown };

/** An item of a list with \`fields\`: just these keys, own fields in \`frontmatter\`. */
export type SparsePage<T> = {
  readonly [name: string]: unknown;
  readonly frontmatter?: Partial<FrontmatterOf<T>>;
};

/** True for a page with this template: its front matter is typed then. Pages that do not fit their page type are not checked. */
export function hasTemplate<T extends keyof PageFrontmatter, P extends object>(
  page: P,
  template: T,
): page is P & { readonly template: T; readonly frontmatter: PageFrontmatter[T] } {
  return "template" in page && page.template === template;
}
`;
