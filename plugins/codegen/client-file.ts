import { readFile } from "node:fs/promises";
import { safeJoin, type CommandInput } from "#kernel";
import { runningFile } from "#lib/packages";
import type { OpenApiDocument, Operation, Parameter } from "../openapi/contract.js";
import { codegenFailure } from "./errors.js";
import type { GeneratedFiles } from "./write-files.js";
import { siteTypesOfClient } from "./client-types.js";
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
