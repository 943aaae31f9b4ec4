/** Express apps behind servers: requests and responses of their classes, and one step before each head is written. */
import { IncomingMessage, ServerResponse, type OutgoingHttpHeader, type Server } from "node:http";
import type { Express, Response } from "express";
import { isRecord } from "#lib/values";
import { ANSWERED } from "./sent-responses.js";

/** Constructors whose prototypes are the app's own. */
export interface ServerClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * Called right before status and headers of a response are written, however its handler writes them, with the
 * arguments of `writeHead`; returns those to write.
 */
export type BeforeHead = (res: Response, args: unknown[]) => unknown[];

/**
 * Request and response classes for `http.createServer` that already have the app's prototypes. Express
 * sets the prototype of both for each request; here that changes nothing and costs a sixth.
 */
export function serverClasses(app: Express, beforeHead: BeforeHead): ServerClasses {
  function SiteRequest(this: IncomingMessage, ...args: unknown[]): void {
    Reflect.apply(IncomingMessage, this, args);
  }
  function SiteResponse(this: ServerResponse, ...args: unknown[]): void {
    Reflect.apply(ServerResponse, this, args);
  }
  // V8 reserves space for the fields of the base constructors too. Without it a response becomes a
  // dictionary-mode object: 6 to 9 µs per request.
  Object.setPrototypeOf(SiteRequest, IncomingMessage);
  Object.setPrototypeOf(SiteResponse, ServerResponse);
  SiteRequest.prototype = app.request;
  SiteResponse.prototype = app.response;
  defineWriteHead(app.response, ServerResponse.prototype.writeHead, beforeHead);
  addLocals(app.response);
  // Constructor functions: `new` on them creates what the class would.
  return {
    IncomingMessage: SiteRequest as unknown as typeof IncomingMessage,
    ServerResponse: SiteResponse as unknown as typeof ServerResponse,
  };
}

/** A request and its response, as a server of another app has created them. */
export interface ForeignRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Passes a request that has arrived at the server of another app to `server`, the one of `app`. */
export function passToServer(server: Server, app: Express, { req, res }: ForeignRequest): void {
  Object.setPrototypeOf(req, app.request);
  Object.setPrototypeOf(res, app.response);
  server.emit("request", req, res);
}

/**
 * Passes requests that have arrived at the server of another app to `server`, the one of `app`. Their
 * connections end with the response: the next request reaches `server` itself.
 */
export function adopter(
  server: Server,
  app: Express,
): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    res.shouldKeepAlive = false;
    passToServer(server, app, { req, res });
  };
}

/** Defines `writeHead` of a response or of their prototype, in front of `writeHead`. */
export function defineWriteHead(
  response: ServerResponse,
  writeHead: ServerResponse["writeHead"],
  beforeHead: BeforeHead,
): void {
  Object.defineProperty(response, "writeHead", {
    // Middleware such as `compression` assigns its own to a response.
    writable: true,
    configurable: true,
    value: function (this: Response, ...args: unknown[]): unknown {
      const written = Reflect.apply(writeHead, this, beforeHead(this, args));
      this.emit(ANSWERED);
      return written;
    },
  });
}

/** The arguments of `writeHead` with the values of their headers changed, in each of the forms that Node takes. */
export function changeHeaders(
  args: unknown[],
  change: (name: string, value: OutgoingHttpHeader) => OutgoingHttpHeader,
): unknown[] {
  return args.map((arg) => {
    if (Array.isArray(arg)) {
      return arg.map((value: OutgoingHttpHeader, at) =>
        at % 2 === 0 ? value : change(String(arg[at - 1]), value),
      );
    }
    if (!isRecord(arg)) return arg;
    const entries = Object.entries(arg).map(([name, value]) => {
      const isHeader = typeof value === "string" || isTextList(value);
      return [name, isHeader ? change(name, value) : value] as const;
    });
    return Object.fromEntries(entries);
  });
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Express's `res.locals`, created on first use. */
function addLocals(response: Response): void {
  // No cache: `locals` of each response.
  const created = new WeakMap<Response, unknown>();
  Object.defineProperty(response, "locals", {
    get: function (this: Response): unknown {
      if (!created.has(this)) created.set(this, Object.create(null));
      return created.get(this);
    },
    set: function (this: Response, value: unknown): void {
      created.set(this, value);
    },
  });
}
