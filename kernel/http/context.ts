import { randomBytes } from "node:crypto";
import type { Request } from "express";
import type { DependsOn, Logger, RequestContext, RequestState } from "../contracts.js";
import { HttpError } from "../errors.js";

/** Longest accepted query string, in bytes. */
const LONGEST_QUERY = 8_192;
/** Longest accepted path, in bytes. */
const LONGEST_PATH = 8_192;
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** One object for all: what is worked out for a block of headers is kept by it. */
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** What a context needs of the server. */
export interface ContextOptions {
  log: Logger;
  defaultLang: string;
  trustsProxy: boolean;
  /** 16 hex characters, another one each time. */
  nextId(): string;
}

/** Request ids: random for each start, then counted up. They tell apart, they keep no secret. */
export function createIds(): () => string {
  const start = randomBytes(4).toString("hex");
  const counter = { value: 0 };
  return () => start + (counter.value++ >>> 0).toString(16).padStart(8, "0");
}

/** `req.ctx`: fields are worked out when first asked for. */
export class Context implements RequestContext {
  readonly path: string;
  readonly search: string;
  readonly startedAt = performance.now();
  readonly state: RequestState = {};
  lang: string;
  route = "other";
  traceId: string | null = null;
  timings: RequestContext["timings"] = null;
  dependsOn: DependsOn | undefined = undefined;
  outgoing: Readonly<Record<string, string>> = NO_HEADERS;
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
    const ip = address ?? "";
    return ip.startsWith("::ffff:") ? ip.slice(7) : ip;
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

/** A request target, taken apart. */
export interface RequestTarget {
  /** Decoded. */
  path: string;
  /** Without `?`, as sent. */
  search: string;
}

/**
 * Takes `req.url` apart.
 * @throws HttpError 400, 404 or 414 for a target that is none of ours.
 */
export function parseTarget(url: string): RequestTarget {
  const mark = url.indexOf("?");
  const raw = mark === -1 ? url : url.slice(0, mark);
  const search = mark === -1 ? "" : url.slice(mark + 1);
  if (!raw.startsWith("/")) throw new HttpError(400, "the request target is not a path");
  if (search.length > LONGEST_QUERY) {
    throw new HttpError(414, `the query string is longer than ${LONGEST_QUERY} bytes`);
  }
  if (raw.length > LONGEST_PATH) throw new HttpError(414, "the path is too long");
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
