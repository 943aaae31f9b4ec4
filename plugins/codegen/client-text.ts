import type { OpenApiDocument, Operation, Parameter } from "../openapi/contract.js";
import { templateTypes } from "./client-templates.js";
import { comment, schemaType } from "./json-schema-type.js";
import { toKey, toTypeName } from "./names.js";

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** An API client in one file: typed by the OpenAPI document, without dependencies. */
export function clientText(document: OpenApiDocument, runtime: string): string {
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
    templateTypes(document),
    runtime,
    "/** A client of the API. */\nexport function createClient(options: ClientOptions) {\n  return {\n",
    ...calls.map(callText),
    "  };\n}\n",
    "/** Result of `createClient`. */\nexport type Client = ReturnType<typeof createClient>;\n",
  ].join("\n");
}

function callText({ method, path, operation }: Call): string {
  const { operationId, summary, parameters = [], requestBody } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const members = [
    ...(inPath.length > 0 ? [`path: ${parametersText(inPath)}`] : []),
    ...(inQuery.length > 0 ? [queryMember(inQuery)] : []),
    ...(requestBody ? [`body: ${bodyText(requestBody)}`] : []),
  ];
  const isOptional = members.every((member) => member.startsWith("query?"));
  const input = members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
  const { shaped, generic, answer } = shapedBy(sparseAnswer(operation), input, operation);
  const signature = `input: ${shaped} & CallOptions${isOptional ? " = {}" : ""}`;
  const call = [method.toUpperCase(), path, ...(isRaw(requestBody) ? ["raw"] : [])];
  return [
    comment({ description: `${summary} (${method.toUpperCase()} ${path})` }, "    "),
    `    ${toKey(operationId)}${generic}(${signature}): Promise<${answer}> {\n`,
    `      return call(options, [${call.map((word) => JSON.stringify(word)).join(", ")}], input);\n    },`,
  ].join("");
}

function queryMember(parameters: readonly Parameter[]): string {
  const isNeeded = parameters.some(({ required }) => required);
  return `query${isNeeded ? "" : "?"}: ${parametersText(parameters)}`;
}

function parametersText(parameters: readonly Parameter[]): string {
  const properties = parameters.map(({ name, schema, description }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
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

/** Without `fields`, the items of a list are whole. */
function shapedBy(sparse: string | null, input: string, operation: Operation) {
  if (sparse === null) return { shaped: input, generic: "", answer: answerText(operation) };
  const shaped = input.replace("fields?: string;", "fields?: F;");
  const generic = "F extends string | undefined = undefined";
  if (!hasTemplates(operation)) return { shaped, generic: `<${generic}>`, answer: sparse };
  return {
    shaped: shaped.replace("template?: string;", "template?: T;"),
    generic: `<${generic}, T extends string | undefined = undefined>`,
    answer: sparse.replace("{ readonly [name: string]: unknown }", "SparsePage<T>"),
  };
}

/** True for lists of pages, whose front matter follows from their template. */
function hasTemplates({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === "template");
}

/** The result of a list that `fields` makes sparse: of two forms, the second has it. Null for others. */
function sparseAnswer({ parameters = [], responses }: Operation): string | null {
  const schema = responses["200"]?.content?.["application/json"]?.schema;
  const forms = schema?.["anyOf"];
  const hasFields = parameters.some(({ name }) => name === "fields");
  if (!hasFields || !Array.isArray(forms) || forms.length !== 2) return null;
  const [whole, sparse] = forms.map((form: unknown) => schemaType(form, "    "));
  return `F extends string ? ${sparse} : ${whole}`;
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
