import { IncomingMessage, ServerResponse, type OutgoingHttpHeader, type Server } from "node:http";
import type { Express, Request, Response } from "express";
import { isRecord } from "#lib/values";
import { SiteError } from "#lib/errors";
import { passedOn } from "#lib/urls";
import type { RequestContext } from "../contracts.js";
import { SERVER_TIMING } from "./response/server-timing.js";
import { REQUEST_ID, WRITTEN } from "./response/answer.js";
import { ANSWERED } from "./response/on-answered.js";
import type { SitePath } from "./site-path.js";

/** Constructors whose prototypes are the app's own. */
export interface ServerClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * Request and response classes for `http.createServer` that already have the app's prototypes. Express
 * sets the prototype of both for each request; here that changes nothing and costs a sixth.
 */
export function serverClasses(app: Express, sitePath: SitePath): ServerClasses {
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
  addOutgoingHeaders(app.response, sitePath);
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

/** An Express handler; also a listener of `http.createServer`. */
export type HostHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * The whole site as a handler of a host's Express app, which mounts it below the path of `site.url`. The
 * connection, its time limits and its upgrades stay the host's.
 */
export function hostHandler(server: Server, app: Express, sitePath: SitePath): HostHandler {
  return (req, res, next) => {
    // Express removes the path of the mount from `url`.
    const { baseUrl: mount = "" }: { baseUrl?: string } = req as Partial<Request>;
    // By default, Express matches the path of a mount without regard to case.
    if (!sitePath.prefix.toLowerCase().endsWith(mount.toLowerCase())) {
      const error = new SiteError(
        "ERR_SITE_MOUNT",
        `the site is mounted at ${JSON.stringify(mount)}, but the path of \`url\` in site.yaml is ${JSON.stringify(sitePath.prefix)}`,
        { fix: `end \`url\` with ${mount}, or mount the site at the path of \`url\`` },
      );
      if (next === undefined) throw error;
      next(error);
      return;
    }
    if (mount !== "") req.url = sitePath.prefix + (req.url ?? "/");
    Object.setPrototypeOf(req, app.request);
    Object.setPrototypeOf(res, app.response);
    // Middleware of the host, such as `compression`, may have set its own, which hides the site's.
    if (Object.hasOwn(res, "writeHead")) defineWriteHead(res, res.writeHead.bind(res), sitePath);
    server.emit("request", req, res);
  };
}

/**
 * Adds `req.ctx.responseHeaders` to every response, however its handler writes it; headers already set win.
 * Addresses in headers become public ones.
 */
function addOutgoingHeaders(response: Response, sitePath: SitePath): void {
  defineWriteHead(response, ServerResponse.prototype.writeHead, sitePath);
}

/** Defines `writeHead` of a response or of their prototype, in front of `writeHead`. */
function defineWriteHead(
  response: ServerResponse,
  writeHead: ServerResponse["writeHead"],
  sitePath: SitePath,
): void {
  Object.defineProperty(response, "writeHead", {
    // Middleware such as `compression` assigns its own to a response.
    writable: true,
    configurable: true,
    value: function (this: Response, ...args: unknown[]): unknown {
      const { ctx }: { ctx?: RequestContext } = this.req as Partial<Request>;
      if (ctx && ctx.responseHeaders !== WRITTEN) {
        this.setHeader(REQUEST_ID, ctx.id);
        if (ctx.timings) this.setHeader(SERVER_TIMING, ctx.timings.header());
        for (const name in ctx.responseHeaders) {
          if (!this.hasHeader(name)) this.setHeader(name, ctx.responseHeaders[name] ?? "");
        }
      }
      const written = Reflect.apply(writeHead, this, publicHeaders(this, args, { sitePath, ctx }));
      this.emit(ANSWERED);
      return written;
    },
  });
}

interface HeaderRules {
  readonly sitePath: SitePath;
  readonly ctx: RequestContext | undefined;
}

/** Headers that were set, and those in the arguments of `writeHead`, with public addresses. */
function publicHeaders(res: Response, args: unknown[], rules: HeaderRules): unknown[] {
  const { sitePath, ctx } = rules;
  const passes = ctx?.passesOn ?? "";
  if (sitePath.prefix === "" && passes === "") return args;
  const publicValue = (name: string, value: OutgoingHttpHeader): OutgoingHttpHeader => {
    const isTarget = name.toLowerCase() === "location" && typeof value === "string";
    return sitePath.header(name, isTarget ? passedOn(value, passes) : value);
  };
  for (const name of ["Location", "Link", "Set-Cookie", "Content-Location", "Refresh"]) {
    const value = res.getHeader(name);
    if (value !== undefined) res.setHeader(name, publicValue(name, value));
  }
  return args.map((arg) => {
    if (Array.isArray(arg)) {
      return arg.map((value: OutgoingHttpHeader, at) =>
        at % 2 === 0 ? value : publicValue(String(arg[at - 1]), value),
      );
    }
    if (!isRecord(arg)) return arg;
    return Object.fromEntries(
      Object.entries(arg).map(([name, value]) => [name, publicArgument(name, value, publicValue)]),
    );
  });
}

function publicArgument(
  name: string,
  value: unknown,
  publicValue: (name: string, value: OutgoingHttpHeader) => OutgoingHttpHeader,
): unknown {
  if (typeof value === "string") return publicValue(name, value);
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isList ? publicValue(name, value) : value;
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
