/** Requests, routes and responses. */
import type { Duplex } from "node:stream";
import type { ErrorRequestHandler, NextFunction, Request, Response } from "express";
import type { ZodType } from "zod";
import type { Logger } from "./environment.js";
import type { RequestState } from "./request-state.js";
import type { RouteTool } from "./route-tool.js";

/** The phases of a request, in order. `edge` is reached through `Http.edge`. */
export type Phase = "identity" | "routes" | "pages";
/** The order inside `edge`: log and trace, headers and limits, early responses, cached responses. */
export type EdgeStage = "observe" | "protect" | "answer" | "cached";
/** A step of the composed edge; true (or a promise of it) when it has responded. */
export type EdgeStep = (req: Request, res: Response) => boolean | void | Promise<boolean | void>;
/** An Express 5 handler. */
export type Handler = (req: Request, res: Response, next: NextFunction) => unknown;
/** Everything that Express mounts: middleware, a `Router`, an app, or an error handler of four arguments. */
export type Middleware = Handler | ErrorRequestHandler;
/** A finished response, before `http.send` writes it. */
export interface Answer {
  /** Default 200. */
  status?: number;
  /** Content type, with charset for text. */
  type: string;
  /** A buffer must not change afterwards: its validator is computed once. */
  body: string | Buffer;
  headers?: Record<string, string>;
  /** Says what caches may do with it. Absent: the site does not cache it. */
  cache?: AnswerCache;
  /** True: its headers are complete, so it does not pass through the filters; an object that is sent again is prepared once. */
  skipsFilters?: boolean;
  /** Called each time the cached response is sent, so that a counter need not run the handler. */
  onCacheHit?: () => void;
}
/** A declared route, or the path of a router, with its plugin. */
export interface HandledBy {
  readonly plugin: string;
  readonly route: string;
}
/** Says how long, and for whom, a response may be cached. */
export interface AnswerCache {
  /** Tags of the content it depends on (`page:…`, `nav`, `list`, `config`). Absent: it is never cached. */
  readonly tags?: ReadonlySet<string>;
  /** Unix ms after which it is stale (a scheduled page); null or absent: no limit. */
  readonly until?: number | null;
  /** True when it depends on the viewer: `Cache-Control: private, no-store`, never cached. */
  readonly private?: boolean;
}
/** Sees every response before it is written; may add headers, or return true to respond itself (304). */
export type AnswerFilter = (req: Request, res: Response, answer: Answer) => boolean | void;
/** A documented route: one declaration validates requests and generates the OpenAPI document. */
export interface RouteDefinition<Q = unknown, B = unknown> {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** Express 5 path: `/api/pages`, `/api/flex/:type`, `/api/pages/*route`. */
  path: string;
  summary: string;
  /** Default: the plugin's name. */
  tag?: string;
  /** Query string; a failure is a 400 that names the parameter. Unknown parameters are ignored. */
  query?: ZodType<Q>;
  /**
   * The query parameters that the response depends on, where `query` does not name them all; they form
   * the cache key. With neither, the whole address does.
   */
  parameters?: DependsOn;
  body?: BodyDefinition<B>;
  /** Status to the schema of its JSON body; null for a status without a JSON body. */
  responses?: Record<number, ZodType | null>;
  /** True: left out of the OpenAPI document, as a page for people. */
  hidden?: boolean;
  /**
   * The permission that the sender must have, or `any` for every user of the panel: others
   * get a 401 or 403. The plugin `admin` checks it, or an engine of the slot `authorization`; without both the
   * site does not start. Such a route is described only to users who have signed in, and its responses are never
   * cached.
   */
  permission?: string;
  /** True: replaces a route of another plugin with the same method and path; the log says so. */
  override?: boolean;
  /** Sources that its responses add to the Content-Security-Policy of the site. */
  csp?: CspOptions;
  /** Offers the route to agents. */
  tool?: RouteTool;
  handler: RouteHandler<Q, B>;
}
/** Checks the permission of a route. */
export interface Authorization {
  /** Every permission that a route may name. */
  readonly permissions: readonly string[];
  /** @throws HttpError 401 or 403 when the sender has not the permission. */
  authorize(req: Request, permission: string): Promise<void>;
}
/**
 * Sources by directive of the Content-Security-Policy: `{ "style-src": ["'unsafe-inline'"] }`. They are added to
 * those of the site; a directive that the site does not have starts with the sources of `default-src`.
 */
export type CspOptions = Readonly<Record<string, readonly string[]>>;
/** Options of a router: its phase, and what its responses may load. */
export interface RouterOptions {
  /** Default: `routes`. */
  phase?: Phase;
  /** True: the path may be one that another plugin has; the log says so. */
  override?: boolean;
  /** Sources that its responses add to the Content-Security-Policy of the site. */
  csp?: CspOptions;
}
/** True for the name of a query parameter (`filter` of `filter[kind]`) that a response depends on. */
export type DependsOn = (parameter: string) => boolean;
/** A route without its handler. */
export type RouteDescription = Omit<RouteDefinition, "handler">;
/** Says how a route reads its body; `limit` in bytes. */
export interface BodyDefinition<B = unknown> {
  /** `raw` gives a Buffer; `form` takes urlencoded, and JSON too; `none` leaves the stream unread. */
  as: "json" | "form" | "raw";
  limit: number;
  schema?: ZodType<B>;
}
/** An ordinary handler with the validated input as third parameter. */
export type RouteHandler<Q = unknown, B = unknown> = (
  req: Request,
  res: Response,
  input: { query: Q; body: B; params: Record<string, string> },
) => unknown;
/** HTTP of the site, as a plugin sees it. */
export interface Http {
  /** Adds a step to the composed edge. */
  edge(stage: EdgeStage, step: EdgeStep): void;
  /**
   * Adds Express middleware, a router or an error handler (four arguments) to a phase, in plugin order.
   *
   * @example
   * import cookieParser from "cookie-parser";
   * site.http.use("identity", cookieParser());
   */
  use(phase: Phase, handler: Handler): void;
  use(phase: Phase, handler: ErrorRequestHandler): void;
  /**
   * Mounts an Express router, middleware or another app below a path, by default in `routes`. There, a path
   * belongs to one plugin: below or above a path of another one, `override: true` is needed. `csp` adds sources to the
   * Content-Security-Policy of its responses.
   *
   * @example
   * import express from "express";
   * const shop = express.Router();
   * shop.get("/cart", (req, res) => res.json({ items: [] }));
   * site.http.router("/shop", shop);
   */
  router(prefix: string, router: Handler, options?: RouterOptions): void;
  /** Declares a route of the `routes` phase. */
  route<Q, B>(definition: RouteDefinition<Q, B>): void;
  /** Describes a route that an edge step or middleware serves, for the documentation only. */
  describe(definition: RouteDescription): void;
  /** Below this prefix errors and 404s are JSON, and onApiRequest/onApiResponse fire. */
  jsonPrefix(prefix: string): void;
  /** Sees every response sent through `send`. */
  filter(filter: AnswerFilter): void;
  /** Writes a response: filters, HEAD, Content-Length. Every cached response goes through it. */
  send(req: Request, res: Response, answer: Answer): void;
  /** Sends JSON through onApiResponse and `send`. */
  json(req: Request, res: Response, body: unknown, options?: JsonOptions): void | Promise<void>;
  /** Renders HTML error pages; without a renderer errors are plain text. */
  errorPage(render: ErrorPage): void;
  /**
   * Serves a connection that did not come through the port, as if it came over the network from the
   * stream's `remoteAddress`. Only once the registries are sealed.
   */
  accept(connection: Duplex): void;
  /** Every declared route, for documentation and tests. */
  readonly routes: readonly (RouteDefinition & { plugin: string })[];
  /** Every described route. */
  readonly described: readonly (RouteDescription & { plugin: string })[];
}
/** Options of `http.json`. */
export type JsonOptions = Omit<Answer, "type" | "body" | "skipsFilters">;
/**
 * Renders the HTML of an error page; null to leave it to the kernel. `cause` is the thrown value, which is
 * never for the client.
 */
export type ErrorPage = (
  req: Request,
  error: { status: number; message: string; cause?: unknown },
) => Promise<Answer | null> | Answer | null;
/** `req.ctx`: created once per request, before anything else. */
export interface RequestContext {
  /** 16 hex characters; `X-Request-Id` of a trusted proxy is used as it is. */
  readonly id: string;
  readonly log: Logger;
  /** Decoded path, without query; an undecodable path is rejected before. */
  readonly path: string;
  /** The target as the client and the network know it, below the path of the site; absent: `req.url`. */
  readonly target?: string;
  /** Query string without `?`, as sent; only `dropParameters` changes it. */
  search: string;
  /** Address of the client, resolved with `system.server.trust_proxy`. */
  readonly ip: string;
  readonly protocol: "http" | "https";
  /** Language of the request; set by the router of pages. */
  lang: string;
  /** CSP nonce, generated on first use. */
  nonce(): string;
  /** True once a nonce was used: the response then fits this request only. */
  readonly hasNonce: boolean;
  readonly startedAt: number;
  /**
   * Says what the request was for, with few values: the path of a declared route (`/api/pages/*route`),
   * `page`, or `other`.
   */
  route: string;
  /** 32 hex characters while the request is traced; set by the tracer. */
  traceId: string | null;
  readonly state: RequestState;
  /** Headers sent with every response unless the response sets them itself. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Query string that a redirect to an address of this site passes on; absent or empty: none. */
  passesOn?: string;
  /** The declared route or mounted router that has the request, and its plugin; absent: neither. */
  handledBy?: HandledBy | undefined;
  /** Sources that the route adds to the Content-Security-Policy; absent: none. */
  csp?: CspOptions;
  /** True: the route has a permission, so that its responses are for their sender alone. */
  isProtected?: boolean;
  /** Query parameters that the response depends on; absent until set. */
  dependsOn?: DependsOn | undefined;
  /** Durations for the header `Server-Timing`; only in dev mode. */
  timings?: { add(name: string, ms: number): void; header(): string } | null;
}
declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to type Express requests
  namespace Express {
    interface Request {
      ctx: RequestContext;
    }
  }
}
