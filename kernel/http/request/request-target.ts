import type { Request } from "express";
import { HttpError } from "#lib/errors";
import { parseTarget, type RequestTarget } from "./context.js";

/** `uri-host [":" port]` (RFC 9112 section 3.2, RFC 3986 section 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d{0,5})?$/i;

/** The path as sent: it only decides whether the error is JSON or a page. */
export function refusedTarget({ url }: Request): RequestTarget {
  const [path = "/"] = url.slice(0, 256).split("?");
  return { path: path.startsWith("/") ? path : "/", search: "" };
}

/** Validates the target of a request. */
export function targetOf(req: Request): RequestTarget | HttpError {
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
    return parseTarget(req.url);
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
