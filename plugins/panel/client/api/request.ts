import { boot } from "../boot.js";

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
}
/** The server did not answer. */
export class OfflineError extends Error {}

/** A JSON response with its validator. */
export interface Reply<T> {
  data: T;
  /** The digest in `ETag`; empty without one. */
  etag: string;
}
/** One request of the admin API. */
export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON, or unchanged when it is form data. */
  body?: unknown;
  /** Sent as `If-Match`. */
  ifMatch?: string | undefined;
  /** Lets the request end after the page is closed. */
  keepalive?: boolean;
  /** The person does not wait for it: an expired session does not interrupt them. */
  isBackground?: boolean;
}

/** Hooks of the application into requests. */
export const hooks = {
  csrfToken: "",
  /** Counts how often this page has signed in again. */
  signIns: 0,
  /** Signs in again over the page; false when the person gave up. */
  signIn: async (): Promise<boolean> => false,
};

/**
 * Calls `{admin.path}/api{path}`; an expired session asks to sign in and repeats the request.
 * @throws ApiError, OfflineError.
 */
export async function request<T>(path: string, call: Call = {}): Promise<Reply<T>> {
  const { signIns } = hooks;
  const response = await send(path, call);
  const asks = path !== "/session" && call.isBackground !== true;
  const isIn = response.status === 401 && asks && (await signedInSince(signIns));
  return read<T>(isIn ? await send(path, call) : response);
}

/**
 * Signs in again, unless that has happened since a request was sent: responses to requests of the
 * former session arrive late, and one sign-in serves them all.
 */
export async function signedInSince(signIns: number): Promise<boolean> {
  return hooks.signIns > signIns || hooks.signIn();
}

/** The JSON of a response, where its validator is not needed. */
export async function json<T>(path: string, call: Call = {}): Promise<T> {
  return (await request<T>(path, call)).data;
}

/** A path with a source path in it: slashes stay. */
export function sourceUrl(prefix: string, sourcePath: string): string {
  return `${prefix}/${sourcePath.split("/").map(encodeURIComponent).join("/")}`;
}

/** `?a=1&b=2` of the values that are set. */
export function queryText(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

async function send(path: string, call: Call): Promise<Response> {
  const { method = "GET", body, keepalive = false } = call;
  const sent = body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body);
  const init = { method, headers: headersOf(call), body: sent, keepalive };
  try {
    return await fetch(`${boot.path}/api${path}`, init);
  } catch (error) {
    throw new OfflineError(error instanceof Error ? error.message : String(error));
  }
}

function headersOf({ method = "GET", body, ifMatch }: Call): Record<string, string> {
  const isJson = body !== undefined && !(body instanceof FormData);
  return {
    accept: "application/json",
    ...(method !== "GET" && { "x-csrf-token": hooks.csrfToken }),
    ...(isJson && { "content-type": "application/json" }),
    ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
  };
}

async function read<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text();
  const data: unknown = text === "" ? null : parsed(text);
  if (!response.ok) throw new ApiError(response.status, isObject(data) ? data : { error: text });
  const etag = /"([^"]*)"/.exec(response.headers.get("etag") ?? "")?.[1] ?? "";
  // The server's own routes: their shapes are declared beside each call.
  return { data: data as T, etag };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { error: text.slice(0, 200) };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
