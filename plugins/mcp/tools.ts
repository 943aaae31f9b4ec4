/** The routes that are declared as tools, and the requests that call them. */
import { z } from "zod";
import {
  isRecord,
  SiteError,
  type RouteDefinition,
  type SiteContext,
  type Http,
  type RouteTool,
} from "#kernel";
import { MemoryConnection, type MemoryRequest } from "#lib/http";
import type { AdminIdentity, Permission } from "../admin/contract.js";
import type { JsonObject, OpenApiDocument, Operation } from "../openapi/contract.js";

/** A route as a tool. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly route: RouteDefinition;
  readonly declared: RouteTool;
  /** `write`: needs a second call; `propose`: waits for a person. */
  readonly effect: "read" | "write" | "propose";
  readonly input: ToolInput;
}

/** The tools of a site, by name. */
export class Tools {
  readonly #site: SiteContext;
  // No cache: routes and their schemas do not change while the site runs.
  #tools: ReadonlyMap<string, Tool> | null = null;

  constructor(site: SiteContext) {
    this.#site = site;
    site.lifecycle.onReady(() => void this.#all());
  }

  /** The tools that an identity may use; null: an outsider. */
  of(identity: AdminIdentity | null): Tool[] {
    return [...this.#all().values()].filter((tool) => isFor(tool, identity));
  }

  /** The tool of this name; undefined where it does not exist for the identity. */
  find(name: string, identity: AdminIdentity | null): Tool | undefined {
    const tool = this.#all().get(name);
    return tool !== undefined && isFor(tool, identity) ? tool : undefined;
  }

  /** @throws ERR_MCP_TOOL for a name that two routes have. */
  #all(): ReadonlyMap<string, Tool> {
    if (this.#tools !== null) return this.#tools;
    const tools = new Map<string, Tool>();
    for (const route of this.#site.http.routes) {
      const { tool: declared } = route;
      if (declared === undefined) continue;
      if (tools.has(declared.name)) {
        const message = `tool ${JSON.stringify(declared.name)} is declared twice`;
        throw new SiteError("ERR_MCP_TOOL", message, { fix: "give one another name" });
      }
      tools.set(declared.name, this.#toolOf(route, declared));
    }
    this.#tools = tools;
    return tools;
  }

  #toolOf(route: RouteDefinition, declared: RouteTool): Tool {
    const effect = route.method === "get" ? "read" : (declared.effect ?? "write");
    const description = declared.description ?? route.summary;
    const document = this.#site.use("openapi").document("admin");
    const input = readInput({ route, declared, effect }, document);
    return { name: declared.name, description, route, declared, effect, input };
  }
}

function isFor({ route: { permission } }: Tool, identity: AdminIdentity | null): boolean {
  if (permission === undefined) return true;
  if (identity === null) return false;
  const held: ReadonlySet<string> = identity.permissions satisfies ReadonlySet<Permission>;
  return permission === "any" || held.has(permission);
}

/** The input of a tool: path, query and body of its route as one object. */
interface ToolInput {
  /** JSON Schema. */
  readonly schema: { type: "object"; [key: string]: unknown };
  /** Names of path parameters; `*`: may contain slashes. */
  readonly path: readonly { name: string; isWild: boolean }[];
  readonly query: ReadonlySet<string>;
  /** Keys of the body; null: the argument `data` is the body. */
  readonly body: ReadonlySet<string> | null;
}

/** A route and its declaration as a tool. */
interface Source {
  route: RouteDefinition;
  declared: RouteTool;
  effect: "read" | "write" | "propose";
}

const REFERENCE = "#/components/schemas/";
/** The argument with the body of a route whose keys are open. */
const DATA = "data";

/** The input of a route's tool. */
function readInput(source: Source, document: OpenApiDocument): ToolInput {
  const { route, declared, effect } = source;
  const operation = findOperation(route, document);
  const path = [...route.path.matchAll(/([:*])(\w+)/g)].map(([, kind, name = ""]) => ({
    name,
    isWild: kind === "*",
  }));
  const parameters = (operation?.parameters ?? []).filter(
    ({ name, in: location }) => location === "path" || isOffered(name, declared),
  );
  const body = readBodyInput(source, operation);
  const properties: JsonObject = {
    ...Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    ...body.properties,
    ...(effect === "write" && { confirm: CONFIRM }),
  };
  const required = [
    ...parameters.filter((one) => one.required).map(({ name }) => name),
    ...body.required,
  ];
  const schema = { type: "object" as const, properties, required, additionalProperties: false };
  const query = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  return {
    schema: withDefinitions(schema, document),
    path,
    query: new Set(query),
    body: body.keys,
  };
}

const CONFIRM = {
  type: "string",
  description:
    "From the answer to the same call without it, after a look at its diff. Without it, nothing is written",
};

function isOffered(name: string, { query }: RouteTool): boolean {
  if (name === "dry_run") return false;
  return query === undefined || query.includes(name);
}

/** `/api/pages/*route` is `/api/pages/{route}` in the document. */
function findOperation(
  { path, method }: RouteDefinition,
  { paths }: OpenApiDocument,
): Operation | undefined {
  return paths[path.replace(/[:*](\w+)/g, "{$1}")]?.[method];
}

interface BodyInput {
  keys: ReadonlySet<string> | null;
  properties: JsonObject;
  required: readonly string[];
}

function readBodyInput({ route, declared }: Source, operation: Operation | undefined): BodyInput {
  if (route.body === undefined) return { keys: new Set(), properties: {}, required: [] };
  const schema = declared.body
    ? z.toJSONSchema(declared.body, { io: "input", unrepresentable: "any" })
    : (operation?.requestBody?.content["application/json"]?.schema ?? {});
  const { properties, required } = schema;
  if (!isRecord(properties)) {
    const data = { description: "The values by field", ...schema, $schema: undefined };
    return { keys: null, properties: { [DATA]: data }, required: [DATA] };
  }
  const fixed = declared.fixed ?? {};
  const offered = Object.entries(properties).filter(([name]) => !Object.hasOwn(fixed, name));
  const names = Array.isArray(required) ? required.map(String) : [];
  return {
    keys: new Set(offered.map(([name]) => name)),
    properties: Object.fromEntries(offered),
    required: names.filter((name) => !Object.hasOwn(fixed, name)),
  };
}

/** Tools have no document around them: the schemas they refer to come along. */
function withDefinitions<T extends JsonObject>(schema: T, { components }: OpenApiDocument): T {
  const definitions = new Map<string, unknown>();
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, item]) => {
      if (key !== "$ref" || typeof item !== "string" || !item.startsWith(REFERENCE)) {
        return [key, inline(item)];
      }
      const name = item.slice(REFERENCE.length);
      if (!definitions.has(name)) {
        definitions.set(name, {});
        definitions.set(name, inline(components.schemas[name] ?? {}));
      }
      return [key, `#/$defs/${name}`];
    });
    return Object.fromEntries(entries);
  };
  const placed = Object.assign({ ...schema }, inline(schema));
  if (definitions.size === 0) return placed;
  return { ...placed, $defs: Object.fromEntries(definitions) };
}

/** Arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The sender of a call: an outsider, an API token, or a person who approves a write. */
export interface Caller {
  /** Null: without a token, which sees what visitors see. */
  readonly identity: AdminIdentity | null;
  /** Sent with the requests of the tools; null without a token. */
  readonly authorization: string | null;
  /** Headers of a person's session, which are sent instead. */
  readonly session?: Readonly<Record<string, string>>;
  readonly ip: string;
}

/** A call with its sender. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: Arguments;
  readonly caller: Caller;
}

/** The response of a route. */
export interface RouteAnswer {
  readonly status: number;
  /** Null: no JSON. */
  readonly body: unknown;
  readonly etag: string | null;
}

/** Options of one request to the route of a tool. */
interface CallOptions {
  /** True: the route writes nothing, and responds with the changes it would make. */
  dryRun?: boolean;
  /** The version that the caller has seen. */
  ifMatch?: string | null;
}

/** Sends a call to the tool's route, with the token and the address of the caller. */
export async function callRoute(
  http: Pick<Http, "accept">,
  call: ToolCall,
  options: CallOptions = {},
): Promise<RouteAnswer> {
  const wrong = call.tool.input.path.find(({ name }) => hasDots(toText(call.args[name])));
  if (wrong !== undefined) {
    return { status: 400, body: { error: `${wrong.name}: expected no . or .. in it` }, etag: null };
  }
  const connection = new MemoryConnection(call.caller.ip);
  const raw = await connection.send(http, await toRequest(call, options));
  const isJson = raw.headers["content-type"]?.startsWith("application/json") === true;
  const body: unknown = isJson ? JSON.parse(raw.body.toString("utf8")) : null;
  return { status: raw.status, body, etag: raw.headers["etag"] ?? null };
}

async function toRequest(
  { tool, args, caller }: ToolCall,
  { dryRun = false, ifMatch = null }: CallOptions,
): Promise<MemoryRequest> {
  const body = tool.route.body === undefined ? undefined : toRequestBody(tool, args);
  return {
    method: tool.route.method.toUpperCase(),
    target: await toTarget(tool, args, dryRun),
    headers: {
      accept: "application/json",
      ...(caller.authorization !== null && { authorization: caller.authorization }),
      ...caller.session,
      ...(ifMatch !== null && { "if-match": ifMatch }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  };
}

async function toTarget({ route, input }: Tool, args: Arguments, dryRun: boolean): Promise<string> {
  // It needs a dozen packages, which a site without calls does not load.
  const { stringify } = await import("qs");
  let path = route.path;
  for (const { name, isWild } of input.path) {
    const text = toText(args[name]);
    const segments = isWild ? text.split("/").filter((segment) => segment !== "") : [text];
    const value = segments.map(encodeURIComponent).join("/");
    path = path.replace(`${isWild ? "*" : ":"}${name}`, () => value);
  }
  const query = Object.fromEntries(Object.entries(args).filter(([name]) => input.query.has(name)));
  const search = stringify({ ...query, ...(dryRun && { dry_run: "true" }) }, { indices: true });
  return search === "" ? path : `${path}?${search}`;
}

function toRequestBody({ input, declared }: Tool, args: Arguments): unknown {
  if (input.body === null) return isRecord(args[DATA]) ? args[DATA] : {};
  const { body: keys } = input;
  const entries = Object.entries(args).filter(([name]) => keys.has(name));
  return { ...Object.fromEntries(entries), ...declared.fixed };
}

/** Such a path could lead to another route, whose writes are not shown first. */
function hasDots(text: string): boolean {
  return text.split(/[/\\]/).some((segment) => segment === "." || segment === "..");
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
