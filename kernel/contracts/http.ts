/** Requests, routes and answers. */
import type { Duplex } from "node:stream";
import type { ErrorRequestHandler, NextFunction, Request, Response } from "express";
import type { ZodType } from "zod";
import type { Logger } from "./environment.js";

/** What `req.ctx.state` carries; plugins add their keys (`siteUser`, `viewer`, …). */
export interface RequestState {}
/** The phases a request passes, in this order. `edge` is reached through `Http.edge`. */
export type Phase = "identity" | "routes" | "pages";
/** The order inside `edge`: log and trace, headers and limits, early answers, held answers. */
export type EdgeStage = "observe" | "protect" | "answer" | "held";
/** A step of the composed edge; true (or a promise of it) when the request has been answered. */
export type EdgeStep = (req: Request, res: Response) => boolean | void | Promise<boolean | void>;
/** An Express 5 handler. */
export type Handler = (req: Request, res: Response, next: NextFunction) => unknown;
/** What Express mounts: middleware, a `Router`, an app, or an error handler of four arguments. */
export type Middleware = Handler | ErrorRequestHandler;
/** A finished answer, before it goes out through `http.send`. */
export interface Answer {
  /** Default 200. */
  status?: number;
  /** Content type, with charset for text. */
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
  /** Tags of what was read to make it (`page:…`, `nav`, `list`, `config`). Absent: it is never held. */
  reads?: ReadonlySet<string>;
  /** Unix ms after which it is no longer true (a scheduled page). */
  expiresAt?: number | null;
  /** True when it depended on who asked: `Cache-Control: private, no-store`, never held. */
  private?: boolean;
  /** Called each time the answer is sent again without having been made again. */
  onHeld?: () => void;
  /** True when this very buffer goes out many times: its validator is worked out once. */
  lasting?: boolean;
  /** True for a held answer on its way out: it has been through the filters already. */
  final?: boolean;
}
/** Sees every answer before it is written; may add headers, or answer otherwise (304) by returning true. */
export type AnswerFilter = (req: Request, res: Response, answer: Answer) => boolean | void;
/** A documented route: the same declaration validates requests and makes the OpenAPI document. */
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
   * The query parameters that the answer depends on, where `query` does not name them all; answers
   * are held by these alone. Neither: by the whole address.
   */
  parameters?: DependsOn;
  body?: BodyDefinition<B>;
  /** Status to the schema of its JSON body; null for a status without JSON body. */
  responses?: Record<number, ZodType | null>;
  /** Not in the OpenAPI document (pages for people). */
  hidden?: boolean;
  /**
   * What whoever asks must be allowed, for the documentation: the guard in front of the route asks.
   * Such a route is described to those alone who have signed in.
   */
  permission?: string;
  handler: RouteHandler<Q, B>;
}
/** True for the name of a query parameter (`filter` of `filter[kind]`) that an answer depends on. */
export type DependsOn = (parameter: string) => boolean;
/** A route without its handler. */
export type RouteDescription = Omit<RouteDefinition, "handler">;
/** How a route reads its body; `limit` in bytes. */
export interface BodyDefinition<B = unknown> {
  /** `raw` gives a Buffer; `form` takes urlencoded, and JSON too; `none` leaves the stream alone. */
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
/** What a plugin may do with HTTP. */
export interface Http {
  /** Adds a step to the composed edge. */
  edge(stage: EdgeStage, step: EdgeStep): void;
  /**
   * Adds Express middleware, a router or an error handler (four arguments) to a phase, in plugin order.
   *
   * @example
   * site.http.use("identity", cookieParser());
   */
  use(phase: Phase, handler: Handler): void;
  use(phase: Phase, handler: ErrorRequestHandler): void;
  /**
   * Mounts an Express router, middleware or another app below a path, in `routes` unless said.
   *
   * @example
   * const shop = express.Router();
   * shop.get("/cart", (req, res) => res.json({ items: [] }));
   * site.http.router("/shop", shop);
   */
  router(prefix: string, router: Handler, options?: { phase?: Phase }): void;
  /** Declares a route of the `routes` phase. */
  route<Q, B>(definition: RouteDefinition<Q, B>): void;
  /** Describes a route that an edge step or middleware answers, for the documentation alone. */
  describe(definition: RouteDescription): void;
  /** Below this prefix errors and unknown paths are JSON, and onApiRequest/onApiResponse fire. */
  jsonPrefix(prefix: string): void;
  /** Sees every answer sent through `send`. */
  filter(filter: AnswerFilter): void;
  /** Writes an answer: filters, HEAD, Content-Length. The one way out for held answers. */
  send(req: Request, res: Response, answer: Answer): void;
  /** Sends JSON through onApiResponse and `send`. */
  json(req: Request, res: Response, body: unknown, options?: JsonOptions): void | Promise<void>;
  /** Renders error pages for people; without one errors are plain text. */
  errorPage(render: ErrorPage): void;
  /**
   * Takes a connection that came by no port: what is asked over it is answered as over the network,
   * at the address `remoteAddress` of the stream. Only once the registries are sealed.
   */
  accept(connection: Duplex): void;
  /** Every declared route, for documentation and tests. */
  readonly routes: readonly (RouteDefinition & { plugin: string })[];
  /** What `describe` was told. */
  readonly described: readonly (RouteDescription & { plugin: string })[];
}
/** What `http.json` takes beside the body. */
export type JsonOptions = Omit<Answer, "type" | "body">;
/** Makes the HTML of an error page; null to leave it to the kernel. */
export type ErrorPage = (
  req: Request,
  error: { status: number; message: string },
) => Promise<Answer | null> | Answer | null;
/** `req.ctx`: made once per request, before anything else. */
export interface RequestContext {
  /** 16 hex characters; `X-Request-Id` of a trusted proxy is kept. */
  readonly id: string;
  readonly log: Logger;
  /** Decoded path, without query; what cannot be decoded never gets this far. */
  readonly path: string;
  /** Query string without `?`, as sent. */
  readonly search: string;
  /** Address of the client, resolved by `system.server.trust_proxy`. */
  readonly ip: string;
  readonly protocol: "http" | "https";
  /** Language of the request; set by the router of pages. */
  lang: string;
  /** CSP nonce, made when first asked for. */
  nonce(): string;
  /** True once a nonce was asked for: the answer is then of this request alone. */
  readonly hasNonce: boolean;
  /** Which query parameters the answer depends on; absent while nobody has said. */
  dependsOn?: DependsOn | undefined;
  readonly startedAt: number;
  /**
   * What the request was for, out of a small set: the path of a declared route (`/api/pages/*route`),
   * `page`, or `other` for what is answered without either.
   */
  route: string;
  /** 32 hex characters while the request is traced; set by whoever keeps traces. */
  traceId: string | null;
  readonly state: RequestState;
  /** What took how long, for the header `Server-Timing`; only in dev mode. */
  timings?: { add(name: string, ms: number): void; header(): string } | null;
  /** Headers that go out with every answer unless the answer sets them itself. */
  outgoing: Readonly<Record<string, string>>;
}
declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to type Express requests
  namespace Express {
    interface Request {
      ctx: RequestContext;
    }
  }
}
