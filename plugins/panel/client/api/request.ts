import type { z } from "zod";
import { isRecord } from "#lib/values";
import type { AdminApi, DryRun } from "../../../admin/browser-contract.js";
import type { CheckApi } from "../../../check/browser-contract.js";
import { boot } from "../boot.js";

type Api = AdminApi & CheckApi;
/** Method and path of a route: `GET /users/:id`. */
export type Route = keyof Api;

/** The response of a route when it succeeds. */
export type Answer<R extends Route> = Exclude<
  Output<Api[R]["responses"][keyof Api[R]["responses"] & (200 | 201 | 202)]>,
  DryRun
>;
type Output<S> = S extends z.ZodType ? z.output<S> : never;
/** A value of the list that a route responds with. */
export type Item<R extends Route> = Answer<R> extends { items: (infer T)[] } ? T : never;
/** The body that a route reads: JSON, or a form with a file. */
export type Body<R extends Route> = R extends "POST /media/upload"
  ? FormData
  : Api[R] extends { body: infer B extends z.ZodType }
    ? Sent<z.input<B>>
    : never;
/**
 * The query of a route; values that are undefined or empty are not sent. The address of a screen may hold any
 * text, which the server checks.
 */
export type Query<R extends Route> = Api[R] extends { query: infer Q extends z.ZodType }
  ? Texts<Sent<z.input<Q>>>
  : unknown;
type Texts<T> = {
  readonly [K in keyof T]: [Extract<T[K], string>] extends [never] ? T[K] : T[K] | string;
};
type Param<P extends string> = P extends `${infer Head}/${infer Rest}`
  ? Param<Head> | Param<Rest>
  : P extends `${":" | "*"}${infer Name}`
    ? Name
    : never;
/** A value that is only read; where a route reads any JSON, any value. */
export type Sent<T> = [z.core.util.JSONType] extends [T]
  ? unknown
  : T extends readonly (infer I)[]
    ? readonly Sent<I>[]
    : T extends object
      ? { readonly [K in keyof T]: Sent<T[K]> }
      : T;

/** Options of a request. */
export interface CallOptions {
  /** Sent as `If-Match`. */
  ifMatch?: string | undefined;
  /** Lets the request end after the page is closed. */
  keepalive?: boolean;
  /** The person does not wait for it: an expired session does not interrupt them. */
  isBackground?: boolean;
}
/** The input of a route: the values in its path, its query and its body. */
export type Input<R extends Route> = CallOptions &
  ([Param<R>] extends [never] ? unknown : { params: Readonly<Record<Param<R>, string | number>> }) &
  ([Body<R>] extends [never] ? unknown : { body: Body<R> }) &
  (Api[R] extends { query: z.ZodType }
    ? Record<never, never> extends Query<R>
      ? { query?: Query<R> }
      : { query: Query<R> }
    : unknown);
/** The argument may be left out for routes that read nothing. */
type Arguments<R extends Route> =
  Record<never, never> extends Input<R> ? [input?: Input<R>] : [input: Input<R>];

/** A request as it is sent. */
export interface Call extends CallOptions {
  readonly method?: string | undefined;
  /** Sent as JSON, or unchanged when it is form data. */
  readonly body?: unknown;
}
interface RouteCall extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
/** A JSON response with its validator. */
export interface Reply<T> {
  data: T;
  /** The digest in `ETag`; empty without one. */
  etag: string;
}

/** A response of the admin API other than 2xx. */
export class ApiError extends Error {
  readonly status: number;
  /** The whole JSON body: `validationErrors`, or both versions of a conflict. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body["error"] === "string" ? body["error"] : `HTTP ${status}`);
    this.status = status;
    this.body = body;
  }

  /** The new source path of a page that has moved away from the one of the request; null for any other failure. */
  get movedTo(): string | null {
    const to = this.body["movedTo"];
    return typeof to === "string" ? to : null;
  }
}
/** The server did not answer. */
export class OfflineError extends Error {}

/** Hooks of the application into requests. */
export const hooks = {
  csrfToken: "",
  /** Counts how often this page has signed in again. */
  signIns: 0,
  /** Signs in again over the page; false when the person gave up. */
  signIn: async (): Promise<boolean> => false,
};

/**
 * Calls a route of the admin API.
 * @throws ApiError, OfflineError.
 */
export async function call<R extends Route>(route: R, ...input: Arguments<R>): Promise<Answer<R>> {
  return (await request(route, ...input)).data;
}

/** Like `call`, with the validator of the response. */
export function request<R extends Route>(
  route: R,
  ...input: Arguments<R>
): Promise<Reply<Answer<R>>>;
export function request(
  route: string,
  { params = {}, query = {}, ...options }: RouteCall = {},
): Promise<Reply<unknown>> {
  const [method, pattern = ""] = route.split(" ");
  const path = pattern.replace(/[:*]\w+/g, (name) => {
    const value = encodeURIComponent(params[name.slice(1)] ?? "");
    return name.startsWith("*") ? value.replaceAll("%2F", "/") : value;
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== "") search.append(name, String(one));
    }
  }
  return exchange(search.size === 0 ? path : `${path}?${search}`, { method, ...options });
}

/**
 * Calls `{admin.path}/api{path}`; an expired session asks to sign in and repeats the request.
 * @throws ApiError, OfflineError.
 */
export async function exchange(path: string, init: Call = {}): Promise<Reply<unknown>> {
  const { signIns } = hooks;
  const response = await send(path, init);
  const asks = path !== "/session" && init.isBackground !== true;
  const isIn = response.status === 401 && asks && (await signedInSince(signIns));
  return read(isIn ? await send(path, init) : response);
}

/**
 * Signs in again, unless that has happened since a request was sent: responses to requests of the
 * former session arrive late, and one sign-in serves them all.
 */
export async function signedInSince(signIns: number): Promise<boolean> {
  return hooks.signIns > signIns || hooks.signIn();
}

async function send(
  path: string,
  { method = "GET", body, keepalive = false, ifMatch }: Call,
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const headers = {
    accept: "application/json",
    ...(method !== "GET" && { "x-csrf-token": hooks.csrfToken }),
    ...(isJson && { "content-type": "application/json" }),
    ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
  };
  const sent = body instanceof FormData ? body : isJson ? JSON.stringify(body) : null;
  try {
    return await fetch(`${boot.path}/api${path}`, { method, headers, body: sent, keepalive });
  } catch (error) {
    throw new OfflineError(error instanceof Error ? error.message : String(error));
  }
}

async function read(response: Response): Promise<Reply<unknown>> {
  const text = await response.text();
  const data: unknown = text === "" ? null : parsed(text);
  if (!response.ok) throw new ApiError(response.status, isRecord(data) ? data : { error: text });
  const etag = /"([^"]*)"/.exec(response.headers.get("etag") ?? "")?.[1] ?? "";
  return { data, etag };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { error: text.slice(0, 200) };
  }
}
