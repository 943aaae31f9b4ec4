import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { clientAddress, type RequestTarget } from "#lib/http";
import type { DependsOn, Logger, RequestContext, RequestState } from "../../contracts.js";

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
    return (this.#id ??= this.#proxyId() ?? this.#options.nextId());
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

  #proxyId(): string | null {
    if (!this.#options.trustsProxy) return null;
    const id = this.#req.headers["x-request-id"];
    return typeof id === "string" && REQUEST_ID.test(id) ? id : null;
  }
}

/** True when a cookie of a session or a token identifies the visitor; such requests bypass caches. */
export function hasCredentials({
  headers: { authorization, cookie },
}: Pick<IncomingMessage, "headers">): boolean {
  return authorization !== undefined || (cookie !== undefined && cookie.includes("site_"));
}
