/** Options of a client. */
export interface ClientOptions {
  /** `https://site.example`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer`. */
  token?: string;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
}
/** Options of every call beside its input. */
export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
}
/** A response with an error status. */
export class ApiError extends Error {
  readonly status: number;
  /** The JSON of the response; `null` without JSON. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const message =
      typeof body === "object" && body !== null && "error" in body ? body.error : null;
    super(typeof message === "string" ? message : `the API responded with ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

interface Input extends CallOptions {
  path?: object;
  query?: object;
  body?: unknown;
}

/** Sends one request. @throws ApiError for a response with an error status. */
export async function call<T>(
  options: ClientOptions,
  [method, path, form = "json"]: [method: string, path: string, form?: "json" | "raw"],
  input: Input,
): Promise<T> {
  const { baseUrl, fetch: send = fetch } = options;
  const url = baseUrl.replace(/(?<!\/)\/+$/, "") + fill(path, input.path) + queryText(input.query);
  const answer = await send(url, { method, ...toRequest(options, form, input) });
  const isJson = /^application\/([\w.+-]+\+)?json\b/.test(answer.headers.get("content-type") ?? "");
  if (!answer.ok) throw new ApiError(answer.status, isJson ? await answer.json() : null);
  return (isJson ? await answer.json() : answer) as T;
}

function toRequest(
  { token }: ClientOptions,
  form: "json" | "raw",
  { body, headers, signal }: Input,
): RequestInit {
  const sent: Record<string, string> = { accept: "application/json", ...headers };
  if (token !== undefined) sent["authorization"] = `Bearer ${token}`;
  const request: RequestInit = { headers: sent, ...(signal && { signal }) };
  if (body === undefined) return request;
  if (form === "raw") return { ...request, body: body as BodyInit };
  sent["content-type"] ??= "application/json";
  return { ...request, body: JSON.stringify(body) };
}

function fill(template: string, values: object = {}): string {
  const parameters = new Map(Object.entries(values));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const segments = String(parameters.get(name) ?? "").split("/");
    // They would change the address to another route.
    const isAstray = segments.includes(".") || segments.includes("..");
    if (isAstray) throw new TypeError(`${name} cannot be ${JSON.stringify(parameters.get(name))}`);
    return segments.map(encodeURIComponent).join("/");
  });
}

function queryText(values: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) append(query, name, value);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** Nested values use brackets: `filter[price][gte]=10`, `filter[or][0][kind]=book`. */
function append(query: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const isObject = typeof item === "object" && item !== null;
      append(query, isObject ? `${name}[${at}]` : `${name}[]`, item);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) append(query, `${name}[${key}]`, item);
  } else if (value !== undefined) query.append(name, String(value));
}
