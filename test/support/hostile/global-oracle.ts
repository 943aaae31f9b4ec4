import { request, type Agent, type IncomingHttpHeaders } from "node:http";
import { packageRoot } from "#lib/packages";
import { CANARY } from "./hostile-site.js";

/** A request and its response, to be judged. */
export interface Exchange {
  method: string;
  /** As sent, not normalised. */
  path: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  ms: number;
}

/** The request beside method and path. */
export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  agent?: Agent;
}

/** Sends a request without normalising the path. */
export function exchange(url: string, path: string, sent: Sent = {}): Promise<Exchange> {
  const { method = "GET", headers = {}, body, agent } = sent;
  const { hostname, port } = new URL(url);
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, path, method, headers, agent, maxHeaderSize: 65_536 },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            method,
            path,
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            ms: performance.now() - startedAt,
          }),
        );
      },
    );
    outgoing.setTimeout(10_000, () => outgoing.destroy(new Error(`${method} ${path} hangs`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const JSON_TYPE = "application/json; charset=utf-8";
const STACK = /(?:\n|\\n)\s+at .+:\d+:\d+/;

/** Everything wrong with an answer by the global rules; empty when nothing is. */
export function faultsOf(answer: Exchange, root: string): string[] {
  return [
    ...statusFaults(answer),
    ...leaks(answer.body + JSON.stringify(answer.headers), root),
    ...jsonFaults(answer),
    ...headerFaults(answer),
  ];
}

function statusFaults({ status, ms }: Exchange): string[] {
  const faults: string[] = [];
  if (status >= 500 && status !== 501 && status !== 503) faults.push(`status ${status}`);
  if (ms > 5_000) faults.push(`${Math.round(ms)} ms`);
  return faults;
}

/** Texts that must not be revealed. */
export function leaks(text: string, root: string): string[] {
  const found: string[] = [];
  if (text.includes(CANARY)) found.push("a canary");
  if (text.includes(root) || text.includes(packageRoot())) found.push("a path of the host");
  if (text.includes("node_modules") || STACK.test(text)) found.push("a stack");
  if (text.includes("passwordHash")) found.push("a password hash");
  return found;
}

function isApi(path: string): boolean {
  return /^\/(?:api|_site|admin\/api)\//.test(path);
}

function jsonFaults({ path, method, status, headers, body }: Exchange): string[] {
  const type = headers["content-type"] ?? "";
  const isJson = type.startsWith("application/json");
  if (method === "HEAD" || status === 204 || status === 304) return [];
  if (!isJson) return isApi(path) && status >= 400 ? [`an error as ${type}`] : [];
  if (type !== JSON_TYPE) return [`${type}`];
  const value = parsed(body);
  if (value === undefined) return ["JSON that does not parse"];
  const isError = typeof value === "object" && value !== null && "error" in value;
  if (status < 400) return [];
  return isError && typeof value.error === "string" ? [] : ["an error without { error }"];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headerFaults({ headers }: Exchange): string[] {
  const faults: string[] = [];
  const policy = String(headers["content-security-policy"] ?? "");
  if (headers["x-content-type-options"] !== "nosniff") faults.push("no nosniff");
  if (headers["referrer-policy"] === undefined) faults.push("no Referrer-Policy");
  if (!policy.includes("frame-ancestors") && headers["x-frame-options"] === undefined) {
    faults.push("framable");
  }
  if (headers["content-type"]?.startsWith("text/html") === true) {
    if (!/script-src [^;]*'self'|script-src 'none'|default-src/.test(policy)) faults.push("no CSP");
    if (/script-src [^;]*'unsafe-inline'/.test(policy)) faults.push("inline scripts");
  }
  if (headers["x-powered-by"] !== undefined) faults.push("X-Powered-By");
  return faults;
}
