import type { OpenApiDocument, Operation, Parameter } from "../openapi/contract.js";
import { callTypes, type CallTypes } from "./client-calls.js";
import { siteTypesOfClient } from "./client-types.js";
import { comment, schemaType, TYPE } from "./json-schema-type.js";
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
