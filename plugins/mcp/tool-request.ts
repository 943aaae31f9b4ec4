/** A call of a tool as a request to its route, through the whole site. */
import { stringify } from "qs";
import { isRecord, type Http } from "#kernel";
import { MemoryConnection, type MemoryRequest } from "#lib/http";
import type { AdminIdentity } from "../admin/contract.js";
import { DATA, type Tool } from "./tools.js";

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
export interface CallOptions {
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
  const wrong = call.tool.input.path.find(({ name }) => hasDots(textOf(call.args[name])));
  if (wrong !== undefined) {
    return { status: 400, body: { error: `${wrong.name}: expected no . or .. in it` }, etag: null };
  }
  const connection = new MemoryConnection(call.caller.ip);
  const raw = await connection.send(http, requestOf(call, options));
  const isJson = raw.headers["content-type"]?.startsWith("application/json") === true;
  const body: unknown = isJson ? JSON.parse(raw.body.toString("utf8")) : null;
  return { status: raw.status, body, etag: raw.headers["etag"] ?? null };
}

function requestOf(
  { tool, args, caller }: ToolCall,
  { dryRun = false, ifMatch = null }: CallOptions,
): MemoryRequest {
  const body = tool.route.body === undefined ? undefined : bodyOf(tool, args);
  return {
    method: tool.route.method.toUpperCase(),
    target: targetOf(tool, args, dryRun),
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

function targetOf({ route, input }: Tool, args: Arguments, dryRun: boolean): string {
  let path = route.path;
  for (const { name, isWild } of input.path) {
    const text = textOf(args[name]);
    const segments = isWild ? text.split("/").filter((segment) => segment !== "") : [text];
    const value = segments.map(encodeURIComponent).join("/");
    path = path.replace(`${isWild ? "*" : ":"}${name}`, () => value);
  }
  const query = Object.fromEntries(Object.entries(args).filter(([name]) => input.query.has(name)));
  const search = stringify({ ...query, ...(dryRun && { dry_run: "true" }) }, { indices: true });
  return search === "" ? path : `${path}?${search}`;
}

function bodyOf({ input, declared }: Tool, args: Arguments): unknown {
  if (input.body === null) return isRecord(args[DATA]) ? args[DATA] : {};
  const { body: keys } = input;
  const given = Object.entries(args).filter(([name]) => keys.has(name));
  return { ...Object.fromEntries(given), ...declared.fixed };
}

/** Such a path could lead to another route, whose writes are not shown first. */
function hasDots(text: string): boolean {
  return text.split(/[/\\]/).some((segment) => segment === "." || segment === "..");
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
