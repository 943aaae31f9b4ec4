/** Sends one request over one connection to a checked address. */
import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { OutboundAnswer, OutboundRequest } from "./contract.js";
import { networkError, outboundError, type Target } from "./target.js";

/** Limit of the response body. */
type BodyLimit = Pick<Required<OutboundRequest>, "maxBytes" | "overflow">;

/** Sends the request; `signal` aborts it. */
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
      headers: headersOf(request),
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

function headersOf({ headers, body }: OutboundRequest): Record<string, string | number> {
  const own = { Connection: "close", ...headers };
  return body === undefined ? own : { ...own, "Content-Length": Buffer.byteLength(body) };
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
