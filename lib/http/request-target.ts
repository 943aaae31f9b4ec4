/** What a request asks for and who sends it, read before anything else of it. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HttpError } from "#lib/errors";

/** Maximum length of the query string, in bytes. */
const MAX_QUERY_BYTES = 8_192;
/** Maximum length of the path, in bytes. */
const MAX_PATH_BYTES = 8_192;

/** A parsed request target. */
export interface RequestTarget {
  /** Decoded. */
  path: string;
  /** Without `?`, as sent. */
  search: string;
}

/**
 * Parses `req.url`.
 * @throws HttpError 400, 404 or 414 for an invalid target.
 */
export function parseTarget(url: string): RequestTarget {
  const mark = url.indexOf("?");
  const raw = mark === -1 ? url : url.slice(0, mark);
  const search = mark === -1 ? "" : url.slice(mark + 1);
  if (!raw.startsWith("/")) throw new HttpError(400, "the request target is not a path");
  if (search.length > MAX_QUERY_BYTES) {
    throw new HttpError(414, `the query string is longer than ${MAX_QUERY_BYTES} bytes`);
  }
  if (raw.length > MAX_PATH_BYTES) throw new HttpError(414, "the path is too long");
  const path = raw.includes("%") ? decode(raw) : raw;
  if (isUnsafe(path)) throw new HttpError(404, "Not found");
  return { path, search };
}

function decode(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new HttpError(400, "the path has an invalid percent escape");
  }
}

/** True for paths that browsers and proxies read in other ways than the site would. */
function isUnsafe(path: string): boolean {
  if (path.startsWith("//") || path.includes("\\") || path.includes("\0")) return true;
  return path.includes("..") && path.split("/").includes("..");
}

/**
 * The address of a client without what proxies add to it: a port (`203.0.113.5:4711`, `[2001:db8::1]:443`), quotes
 * (RFC 7239, section 6), and the prefix of IPv4 addresses in IPv6 (`::ffff:`).
 */
export function clientAddress(written: string): string {
  const text = written.trim().replace(/^"(.*)"$/, "$1");
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const withPort = /^([^:]+):\d{1,5}$/.exec(text)?.[1];
  const address = bracketed ?? (withPort !== undefined && isIP(withPort) === 4 ? withPort : text);
  return /^::ffff:(?=\d+\.)/i.test(address) ? address.slice("::ffff:".length) : address;
}

/** `uri-host [":" port]` (RFC 9112 section 3.2, RFC 3986 section 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d{0,5})?$/i;

/** The target of a request that is rejected: its path as sent, which only decides about the form of the error. */
export function rejectedTarget({ url = "" }: IncomingMessage): RequestTarget {
  const [path = "/"] = url.slice(0, 256).split("?");
  return { path: path.startsWith("/") ? path : "/", search: "" };
}

/** The target of a request, or the error that it is rejected with: also for its method and its `Host`. */
export function readTarget(req: IncomingMessage): RequestTarget | HttpError {
  try {
    if (countHosts(req.rawHeaders) !== 1)
      throw new HttpError(400, "the request must have exactly one Host header");
    if (!HOST.test(req.headers.host ?? "")) throw new HttpError(400, "the Host header is invalid");
    const coding = req.headers["transfer-encoding"];
    if (coding !== undefined && coding.toLowerCase() !== "chunked") {
      throw new HttpError(400, "Transfer-Encoding must be chunked");
    }
    if (req.method === "TRACE" || req.method === "CONNECT") {
      throw new HttpError(405, `method ${req.method} is not allowed`);
    }
    return parseTarget(req.url ?? "");
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

/** Node exposes only the first of several Host headers; count the raw ones. */
function countHosts(raw: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.length === 4 && raw[at]?.toLowerCase() === "host") count += 1;
  }
  return count;
}
