import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Request } from "express";
import { HttpError } from "#lib/errors";
import type { DependsOn, Logger, RequestContext, RequestState } from "../../contracts.js";

/** Maximum length of the query string, in bytes. */
const MAX_QUERY_BYTES = 8_192;
/** Maximum length of the path, in bytes. */
const MAX_PATH_BYTES = 8_192;
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** One shared object: results for a block of headers are cached by its identity. */
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** The parts of a server that a context uses. */
export interface ContextOptions {
  log: Logger;
  defaultLang: string;
  trustsProxy: boolean;
  /** 16 hex characters, unique per call. */
  nextId(): string;
}

/** Request ids: a random start per process, then a counter. They are unique, not secret. */
export function createIds(): () => string {
  const start = randomBytes(4).toString("hex");
  const counter = { value: 0 };
  return () => start + (counter.value++ >>> 0).toString(16).padStart(8, "0");
}

/** `req.ctx`: fields are computed on first use. */
export class Context implements RequestContext {
  readonly path: string;
  readonly target: string;
  search: string;
  readonly startedAt = performance.now();
  readonly state: RequestState = {};
  lang: string;
  route = "other";
  traceId: string | null = null;
  timings: RequestContext["timings"] = null;
  dependsOn: DependsOn | undefined = undefined;
  handledBy: RequestContext["handledBy"] = undefined;
  passesOn = "";
  responseHeaders: Readonly<Record<string, string>> = NO_HEADERS;
  readonly #req: Request;
  readonly #options: ContextOptions;
  #id: string | null = null;
  #log: Logger | null = null;
  #nonce: string | null = null;

  constructor(req: Request, target: RequestTarget, options: ContextOptions) {
    this.#req = req;
    this.#options = options;
    this.lang = options.defaultLang;
    this.path = target.path;
    this.target = req.url;
    this.search = target.search;
  }

  get id(): string {
    return (this.#id ??= this.#givenId() ?? this.#options.nextId());
  }

  get log(): Logger {
    return (this.#log ??= this.#options.log.child({
      req: this.id,
      ...(this.traceId !== null && { trace: this.traceId }),
    }));
  }

  get ip(): string {
    const address = this.#options.trustsProxy ? this.#req.ip : this.#req.socket.remoteAddress;
    return clientAddress(address ?? "");
  }

  get protocol(): "http" | "https" {
    return this.#req.protocol === "https" ? "https" : "http";
  }

  get hasNonce(): boolean {
    return this.#nonce !== null;
  }

  nonce(): string {
    return (this.#nonce ??= randomBytes(16).toString("base64"));
  }

  #givenId(): string | null {
    if (!this.#options.trustsProxy) return null;
    const given = this.#req.headers["x-request-id"];
    return typeof given === "string" && REQUEST_ID.test(given) ? given : null;
  }
}

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

function isUnsafe(path: string): boolean {
  if (path.startsWith("//") || path.includes("\\") || path.includes("\0")) return true;
  return path.includes("..") && path.split("/").includes("..");
}

/** True when a cookie of a session or a token identifies the visitor; such requests bypass caches. */
export function hasCredentials({
  headers: { authorization, cookie },
}: Pick<IncomingMessage, "headers">): boolean {
  return authorization !== undefined || (cookie !== undefined && cookie.includes("site_"));
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
