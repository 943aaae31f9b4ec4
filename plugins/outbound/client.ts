/** The outbound service: time limits and policy around one request. */
import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { SiteError, type Trace } from "#kernel";
import { canParseUrl } from "#lib/urls";
import type {
  OutboundAnswer,
  OutboundPolicy,
  OutboundRequest,
  OutboundService,
} from "./contract.js";
import {
  findTarget,
  outboundError,
  systemResolve,
  type Resolve,
  type Target,
  type TargetRules,
  networkError,
} from "./target.js";

/** Options of the client. */
export interface ClientOptions {
  denyPrivate: boolean;
  /** True for a host that must be public, whatever the policy. Default: no host. */
  isGuarded?: TargetRules["isGuarded"];
  /** Default: the system's resolver. */
  resolve?: Resolve;
  /** Records the calls and provides trace headers. */
  trace?: Trace;
}

/** Requests to other hosts. */
export class OutboundClient implements OutboundService {
  readonly #denyPrivate: boolean;
  readonly #isGuarded: TargetRules["isGuarded"];
  readonly #resolve: Resolve;
  readonly #trace: Trace | undefined;

  constructor(options: ClientOptions) {
    const { denyPrivate, isGuarded = async () => false, resolve = systemResolve, trace } = options;
    this.#denyPrivate = denyPrivate;
    this.#isGuarded = isGuarded;
    this.#resolve = resolve;
    this.#trace = trace;
  }

  request(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
    const trace = this.#trace;
    if (trace?.on !== true) return this.#request(url, request);
    const facts = {
      "server.address": canParseUrl(url) ? new URL(url).hostname : "",
      "http.request.method": request.method ?? "GET",
    };
    const call = (): Promise<OutboundAnswer> =>
      // Headers of the request override those of the trace.
      this.#request(url, { ...request, headers: { ...trace.headers(), ...request.headers } });
    return trace.span("outbound", call, facts);
  }

  async #request(url: string, request: OutboundRequest): Promise<OutboundAnswer> {
    const { timeoutMs = 10_000, maxBytes = 65_536, overflow = "fail", policy = "strict" } = request;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    try {
      const target = await untilAborted(this.#target(url, policy), signal);
      return await send(target, { ...request, maxBytes, overflow }, signal);
    } catch (error) {
      if (timeout.aborted) {
        throw outboundError("ERR_OUTBOUND_TIMEOUT", `no complete response within ${timeoutMs} ms`);
      }
      throw error;
    }
  }

  async refusal(url: string, policy: OutboundPolicy = "strict"): Promise<string | null> {
    try {
      await this.#target(url, policy);
      return null;
    } catch (error) {
      if (error instanceof SiteError) return error.message;
      throw error;
    }
  }

  #target(url: string, policy: OutboundPolicy): Promise<Target> {
    return findTarget(url, {
      policy,
      denyPrivate: this.#denyPrivate,
      resolve: this.#resolve,
      isGuarded: this.#isGuarded,
    });
  }
}

/** A DNS lookup cannot be aborted, but waiting for it can. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void =>
      reject(outboundError("ERR_OUTBOUND_NETWORK", "the request was aborted"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Limit of the response body. */
type BodyLimit = Pick<Required<OutboundRequest>, "maxBytes" | "overflow">;

/** Sends the request over one connection to a checked address; `signal` aborts it. */
export function send(
  { url, addresses }: Target,
  request: OutboundRequest & BodyLimit,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { maxBytes, overflow } = request;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(networkError(url.hostname, error));
    const client = url.protocol === "https:" ? https : http;
    const options: RequestOptions = {
      method: request.method ?? "GET",
      headers: {
        Connection: "close",
        ...request.headers,
        ...(request.body !== undefined && { "Content-Length": Buffer.byteLength(request.body) }),
      },
      // Only checked addresses: the name is not looked up again.
      lookup: pinned(addresses),
      // Never reuse a connection opened for another request.
      agent: false,
      signal,
      maxHeaderSize: 16_384,
    };
    const sent = client.request(url, options, (answer) => {
      answer.once("error", fail);
      readBody(answer, { maxBytes, overflow }).then(
        (body) => resolve({ status: answer.statusCode ?? 0, headers: plain(answer.headers), body }),
        reject,
      );
    });
    sent.once("error", fail);
    sent.end(request.body);
  });
}

function pinned(addresses: Target["addresses"]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** Reads to the end or the limit; closes the connection at the limit. */
async function readBody(
  answer: IncomingMessage,
  { maxBytes, overflow }: BodyLimit,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      chunks.push(bytes.subarray(0, maxBytes - size));
      size += bytes.length;
      if (size > maxBytes) break;
    }
  } catch {
    throw outboundError(
      "ERR_OUTBOUND_NETWORK",
      `the response (${answer.statusCode}) was truncated`,
    );
  }
  if (size > maxBytes && overflow === "fail") {
    throw outboundError("ERR_OUTBOUND_TOO_LARGE", `the response is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
  );
  return Object.fromEntries(pairs);
}
