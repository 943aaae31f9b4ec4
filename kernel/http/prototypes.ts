import type { InternalContext } from "./response/internals.js";
import { IncomingMessage, ServerResponse, type Server } from "node:http";
import type { Express, Request, Response } from "express";
import { SERVER_TIMING } from "./response/server-timing.js";
import { REQUEST_ID, WRITTEN } from "./response/answer.js";
import { ANSWERED } from "./response/on-answered.js";

/** Constructors whose prototypes are the app's own. */
export interface ServerClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * Request and response classes for `http.createServer` that already have the app's prototypes. Express
 * sets the prototype of both for each request; here that changes nothing and costs a sixth.
 */
export function serverClasses(app: Express): ServerClasses {
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
  addOutgoingHeaders(app.response);
  addLocals(app.response);
  // Constructor functions: `new` on them creates what the class would.
  return {
    IncomingMessage: SiteRequest as unknown as typeof IncomingMessage,
    ServerResponse: SiteResponse as unknown as typeof ServerResponse,
  };
}

/**
 * Passes a request that has arrived at the server of another app to `server`, the one of `app`. Its
 * connection ends with the response: the next one reaches `server` itself.
 */
export function adopter(
  server: Server,
  app: Express,
): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    Object.setPrototypeOf(req, app.request);
    Object.setPrototypeOf(res, app.response);
    res.shouldKeepAlive = false;
    server.emit("request", req, res);
  };
}

/** Adds `req.ctx.responseHeaders` to every response, however its handler writes it; headers already set win. */
function addOutgoingHeaders(response: Response): void {
  const { writeHead } = ServerResponse.prototype;
  Object.defineProperty(response, "writeHead", {
    value: function (this: Response, ...args: unknown[]): unknown {
      const { ctx }: { ctx?: InternalContext } = this.req as Partial<Request>;
      if (ctx && ctx.responseHeaders !== WRITTEN) {
        this.setHeader(REQUEST_ID, ctx.id);
        if (ctx.timings) this.setHeader(SERVER_TIMING, ctx.timings.header());
        for (const name in ctx.responseHeaders) {
          if (!this.hasHeader(name)) this.setHeader(name, ctx.responseHeaders[name] ?? "");
        }
      }
      const written = Reflect.apply(writeHead, this, args);
      this.emit(ANSWERED);
      return written;
    },
  });
}

/** Express's `res.locals`, created on first use. */
function addLocals(response: Response): void {
  // No cache: `locals` of each response.
  const known = new WeakMap<Response, unknown>();
  Object.defineProperty(response, "locals", {
    get: function (this: Response): unknown {
      if (!known.has(this)) known.set(this, Object.create(null));
      return known.get(this);
    },
    set: function (this: Response, value: unknown): void {
      known.set(this, value);
    },
  });
}
