import { z } from "zod";
import { isRecord, type RouteDescription } from "#kernel";
import type {
  Audience,
  JsonObject,
  OpenApiDocument,
  Operation,
  OperationResponse,
  Parameter,
} from "./contract.js";

/** Information in the document besides the routes. */
export interface DocumentInfo {
  title: string;
  /** Version of the product. */
  version: string;
  /** Path of `site.url`; empty without one. */
  base: string;
  /** `admin.path`. */
  adminPath: string;
  /** Schemas that routes do not name; those of routes win. */
  schemas?: Readonly<Record<string, JsonObject>>;
}

const ABOUT =
  `Generated from the declarations that validate requests. Every \`GET\` also supports \`HEAD\`, sends an \`ETag\` and
answers 304; errors are \`{ "error": "…" }\`.`.replaceAll("\n", " ");
const SIGNED_IN = ` Routes with \`x-permission\` belong to the admin API.`;

/** Creates the OpenAPI document of the routes. */
export function createDocument(
  routes: readonly DescribedRoute[],
  audience: Audience,
  info: DocumentInfo,
): OpenApiDocument {
  const components = new Components();
  const paths: OpenApiDocument["paths"] = {};
  const isForAdmins = audience === "admin";
  for (const route of routes) {
    if (route.hidden === true || (!isForAdmins && route.permission !== undefined)) continue;
    // `/api/pages/*route` of Express is `/api/pages/{route}` in OpenAPI.
    const template = route.path.replace(/[:*](\w+)/g, "{$1}");
    // The first declaration of a method wins; later ones are unreachable.
    (paths[template] ??= {})[route.method] ??= toOperation(route, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: info.title,
      version: info.version,
      description: isForAdmins ? ABOUT + SIGNED_IN : ABOUT,
    },
    servers: [{ url: info.base === "" ? "/" : info.base }],
    paths,
    components: {
      schemas: sorted({ ...info.schemas, ...components.schemas }),
      ...(isForAdmins && { securitySchemes: securitySchemes(info.adminPath) }),
    },
  };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function securitySchemes(adminPath: string) {
  return {
    token: { type: "http", scheme: "bearer", description: "A token of `tokens:create`" },
    session: {
      type: "apiKey",
      in: "cookie",
      name: "site_admin",
      description: `The session of \`POST ${adminPath}/login\`; requests that change something also need \`x-csrf-token\``,
    },
  };
}

/** A registered route. */
export type DescribedRoute = RouteDescription & { plugin: string };

const JSON_TYPE = "application/json";
const BODY_TYPES: Readonly<Record<"json" | "form" | "raw", readonly string[]>> = {
  json: [JSON_TYPE],
  form: ["application/x-www-form-urlencoded", JSON_TYPE],
  raw: ["application/octet-stream"],
};
const MEANINGS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted; processed in the background",
  204: "Done",
  206: "Partial content",
  303: "See the address in `Location`",
  304: "Not modified (`If-None-Match`)",
  400: "The request is invalid",
  401: "Not signed in",
  403: "Not allowed",
  404: "Not found",
  408: "The body took too long",
  409: "The resource has changed, or already exists",
  413: "The body is too large",
  415: "The body has an unexpected type",
  416: "Range not satisfiable",
  422: "The content cannot be processed",
  429: "Too many requests; `Retry-After` says when to retry",
  500: "Internal server error",
  501: "Not configured",
  502: "Another service sent an invalid response",
  507: "Not enough storage",
  503: "Temporarily unavailable; `Retry-After` says when to retry",
};
const ALWAYS = [400, 429, 500, 503];
const FULL_DISK = 507;
const WITH_BODY = [408, 413, 415];
const GUARDED = [401, 403];

/** Responses of the kernel and the guards besides those declared. */
export function impliedStatuses({ method, body, permission }: DescribedRoute): readonly number[] {
  return [
    ...(method === "get" ? [304] : [FULL_DISK]),
    ...ALWAYS,
    ...(body ? WITH_BODY : []),
    ...(permission === undefined ? [] : GUARDED),
  ];
}

/** The operation of a route; adds its schemas to `components`. */
function toOperation(route: DescribedRoute, components: Components): Operation {
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
    ...(kind === "*" && { description: "May contain slashes" }),
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
      // `facet[template]=post`: nested values use brackets.
      ...(rest["type"] === "object" && { style: "deepObject", explode: true }),
    };
  });
}

/** A query string is text: a parameter that accepts only digits is documented as an integer. */
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
    const generated = schema === null ? null : components.schema(schema, "output");
    if (code >= 400 && isPlainError(generated)) all[status] = errorResponse(code, components);
    else if (generated === null) all[status] = { description: meaning(code) };
    else all[status] = withJson(code, generated);
  }
  return all;
}

/** True for an error without additional fields. */
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

const SCHEMAS = "#/components/schemas/";

/** The schema of every API error. */
export const errorSchema = z
  .object({
    error: z.string().describe("What is wrong and how to fix it"),
    details: z
      .array(z.unknown())
      .optional()
      .describe("For validation errors: one entry per problem"),
  })
  .meta({ id: "Error", description: "Every error of the API" });

/** The named schemas of a document, each defined once and referenced elsewhere. */
export class Components {
  readonly schemas: Record<string, JsonObject> = {};
  readonly #unnamed = new Map<string, string>();

  /** The JSON Schema of a request (`input`) or response (`output`). */
  schema(type: z.ZodType, io: "input" | "output"): JsonObject {
    const generated: JsonObject = z.toJSONSchema(type, { io, unrepresentable: "any" });
    const { $schema: _dialect, $defs: definitions, ...schema } = generated;
    const all = Object.entries(toObject(definitions));
    const names = new Map(all.map(([name, definition]) => [name, this.#nameOf(name, definition)]));
    for (const [name, definition] of all) {
      const placed = toObject(relocate(withoutLimits(definition), names));
      this.schemas[names.get(name) ?? name] ??= placed;
    }
    return toObject(relocate(withoutLimits(schema), names));
  }

  /** Names a recursive schema that has no name; the same schema gets the same name. */
  #nameOf(name: string, definition: unknown): string {
    if (!name.startsWith("__")) return name;
    const text = JSON.stringify(definition);
    const assigned = this.#unnamed.get(text) ?? `Recursive${this.#unnamed.size + 1}`;
    this.#unnamed.set(text, assigned);
    return assigned;
  }
}

/** The value if it is an object, else an empty object. */
export function toObject(value: unknown): JsonObject {
  return isRecord(value) ? { ...value } : {};
}

/** Definitions are in the document, not in each schema; their own `id` is redundant. */
function relocate(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => relocate(item, names));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "id" || !isNamed(value));
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key !== "$ref" || typeof item !== "string") return [key, relocate(item, names)];
      const name = item.replace("#/$defs/", "");
      return [key, SCHEMAS + (names.get(name) ?? name)];
    }),
  );
}

/** True for a schema with an `id`; a property of that name would be an object. */
function isNamed(value: object): boolean {
  return "id" in value && typeof value.id === "string";
}

/** The bounds of safe integers are not a rule of the API. */
function withoutLimits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLimits);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([, item]) => Math.abs(Number(item)) !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutLimits(item)]));
}
