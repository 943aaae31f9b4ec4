import type { RouteDescription } from "#kernel";
import { errorSchema, toObject, type Components } from "./components.js";
import type { JsonObject, Operation, OperationResponse, Parameter } from "./contract.js";

/** A route as the registry holds it. */
export type DescribedRoute = RouteDescription & { plugin: string };

const JSON_TYPE = "application/json";
const BODY_TYPES: Readonly<Record<"json" | "form" | "raw", readonly string[]>> = {
  json: [JSON_TYPE],
  form: ["application/x-www-form-urlencoded", JSON_TYPE],
  raw: ["application/octet-stream"],
};
const MEANINGS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Made",
  202: "Taken, and done in the background",
  204: "Done",
  206: "Part of it",
  303: "See the address in `Location`",
  304: "What the client has (`If-None-Match`) is still true",
  400: "The request does not say what it should",
  401: "Nobody has signed in",
  403: "Not allowed",
  404: "Not found",
  408: "The body took too long",
  409: "It has changed meanwhile, or is there already",
  413: "The body is too large",
  415: "The body is of another type than expected",
  416: "No such part",
  422: "The contents cannot be used",
  429: "Too many requests; `Retry-After` says when to come back",
  500: "A fault of the server",
  501: "Not configured",
  502: "Another service does not answer as it should",
  507: "There is no room for it",
  503: "Not now; `Retry-After` says when to come back",
};
const ALWAYS = [400, 429, 500, 503];
const FULL_DISK = 507;
const WITH_BODY = [408, 413, 415];
const GUARDED = [401, 403];

/** What the kernel and the guards answer for a route beside what it declares. */
export function impliedStatuses({ method, body, permission }: DescribedRoute): readonly number[] {
  return [
    ...(method === "get" ? [304] : [FULL_DISK]),
    ...ALWAYS,
    ...(body ? WITH_BODY : []),
    ...(permission === undefined ? [] : GUARDED),
  ];
}

/** Express's path as a path template: `/api/pages/*route` becomes `/api/pages/{route}`. */
export function pathTemplate(path: string): string {
  return path.replace(/[:*](\w+)/g, "{$1}");
}

/** The operation of a route; its schemas go to `components`. */
export function toOperation(route: DescribedRoute, components: Components): Operation {
  const { summary, permission, body } = route;
  const parameters = [...pathParameters(route.path), ...queryParameters(route, components)];
  return {
    operationId: operationId(route),
    summary,
    tags: [route.tag ?? route.plugin],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, components) }),
    responses: toResponses(route, components),
    ...(permission !== undefined && {
      "x-permission": permission,
      security: [{ token: [] }, { session: [] }],
    }),
  };
}

/** `get /api/taxonomy/:name` is `getTaxonomyByName`. */
function operationId({ method, path }: DescribedRoute): string {
  const words = path
    .replace(/^\/api(?=\/)/, "")
    .split("/")
    .slice(1)
    .map((segment) => {
      const isParameter = /^[:*]/.test(segment);
      const word = segment
        .split(/[^A-Za-z0-9]+/)
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join("");
      if (segment === "") return "Home";
      return isParameter ? `By${word}` : word;
    });
  return method + words.join("");
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/([:*])(\w+)/g)].map(([, kind, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(kind === "*" && { description: "May hold slashes" }),
  }));
}

function queryParameters({ query }: DescribedRoute, components: Components): Parameter[] {
  if (query === undefined) return [];
  const { properties, required } = components.schema(query, "input");
  const isRequired = new Set(Array.isArray(required) ? required : []);
  return Object.entries(toObject(properties)).map(([name, schema]) => {
    const { description, ...rest } = asNumber(toObject(schema));
    return {
      name,
      in: "query",
      required: isRequired.has(name),
      ...(typeof description === "string" && { description }),
      schema: rest,
      // `facet[template]=post`: what nests is written in brackets.
      ...(rest["type"] === "object" && { style: "deepObject", explode: true }),
    };
  });
}

/** A query string is text: what takes digits alone is a whole number to whoever writes it. */
function asNumber(schema: JsonObject): JsonObject {
  const { pattern, default: byDefault, type: _text, ...rest } = schema;
  if (typeof pattern !== "string" || !/^\^\\d(\{1,\d+\}|\+)\$$/.test(pattern)) return schema;
  const value = byDefault === undefined ? {} : { default: Number(byDefault) };
  return { type: "integer", minimum: 0, ...value, ...rest };
}

function requestBody(body: NonNullable<RouteDescription["body"]>, components: Components) {
  const schema = body.schema ? components.schema(body.schema, "input") : {};
  const content = BODY_TYPES[body.as].map((type) => [type, { schema }]);
  return { required: true, content: Object.fromEntries(content) };
}

function toResponses(route: DescribedRoute, components: Components): Operation["responses"] {
  const all: Record<string, OperationResponse> = {};
  for (const status of impliedStatuses(route)) {
    all[String(status)] =
      status < 400 ? { description: meaning(status) } : errorResponse(status, components);
  }
  for (const [status, schema] of Object.entries(route.responses ?? {})) {
    const code = Number(status);
    const own = schema === null ? null : components.schema(schema, "output");
    if (code >= 400 && isPlainError(own)) all[status] = errorResponse(code, components);
    else if (own === null) all[status] = { description: meaning(code) };
    else all[status] = withJson(code, own);
  }
  return all;
}

/** An error that says no more than every error does. */
function isPlainError(schema: JsonObject | null): boolean {
  const { properties, $ref, anyOf } = schema ?? {};
  if ($ref !== undefined || anyOf !== undefined) return false;
  return Object.keys(toObject(properties)).every((name) => name === "error" || name === "details");
}

function errorResponse(status: number, components: Components): OperationResponse {
  const { $ref: _own, ...error } = components.schema(errorSchema, "output");
  components.schemas["Error"] ??= error;
  return withJson(status, { $ref: "#/components/schemas/Error" });
}

function withJson(status: number, schema: JsonObject): OperationResponse {
  return { description: meaning(status), content: { [JSON_TYPE]: { schema } } };
}

function meaning(status: number): string {
  return MEANINGS[status] ?? `Status ${status}`;
}
