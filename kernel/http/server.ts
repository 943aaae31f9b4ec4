import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Express, Request, Response } from "express";
import { HttpError } from "#lib/errors";
import {
  hasBody,
  isPathRemoved,
  type PacedWrites,
  paceWrites,
  type OverdueResponses,
  readTarget,
  refuseConnection,
  rejectedTarget,
  RequestTimings,
  sentStatus,
  serverClasses,
  type Timings,
  watchBody,
} from "#lib/http";
import { TurnQueue } from "#lib/concurrency";
import type { EdgeStage, EdgeStep, HookNameOf, Hooks, Logger } from "../contracts.js";
import { Context, createIds, type ContextOptions } from "./request/context.js";
import { errorHandler } from "./response/error-handler.js";
import { headWriter } from "./response/response-head.js";
import type { SiteHttp } from "./site-http.js";

/** Limits against slow and greedy clients, in ms and counts. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 5_000,
  maxRequestsPerSocket: 100_000,
  maxConnections: 4_000,
  maxHeaderSize: 16_384,
} as const;

/** A client that takes nothing of its response for so long, in ms, is disconnected. */
const STALLED_MS = 60_000;

/** Dependencies of a server. */
export interface ServerOptions extends Omit<ContextOptions, "nextId"> {
  http: SiteHttp;
  app: Express;
  hooks: Hooks;
  log: Logger;
  unanswered: OverdueResponses;
  /** When set, every response has a `Server-Timing` header. */
  timings?: Timings | null;
  /** Time in which a client must take some of its response, in ms. Default: 60,000. */
  stalledMs?: number | undefined;
}

/** The HTTP server of a site: context, edge, then the handlers for requests that the edge passes on. */
export function createSiteServer(options: ServerOptions): Server {
  const { app } = options;
  const turns = new TurnQueue(LIMITS.maxConnections);
  const listener = createListener(options, turns);
  paceWrites(app, pacing(options, turns));
  const { maxHeaderSize, maxConnections, ...timeouts } = LIMITS;
  const server = createServer(
    {
      ...serverClasses(app, headWriter(options.http.sitePath)),
      maxHeaderSize,
      connectionsCheckingInterval: 2_000,
    },
    // The classes above give every request and response the app's prototypes.
    listener as unknown as (req: IncomingMessage, res: ServerResponse) => void,
  );
  Object.assign(server, timeouts, { maxConnections });
  server.on("connection", () => turns.accepted());
  server.on("upgrade", (_req, socket) => refuseConnection(socket, "426 Upgrade Required"));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else refuseConnection(socket, CLIENT_ERRORS[error.code ?? ""] ?? "400 Bad Request");
  });
  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    if (hasBody(req)) watchBody(req, res, { graceMs: server.headersTimeout, onSlow: endSlow });
  });
  server.on("drop", createDropLog(options.log));
  return server;
}

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Warns about connections above the limit, once a minute. */
function createDropLog(log: Logger): () => void {
  const told = { at: -Infinity };
  return () => {
    if (performance.now() - told.at < 60_000) return;
    told.at = performance.now();
    log.warn("server.connections_full", { most: LIMITS.maxConnections });
  };
}

/** Ends the connection; a handler that waits for the body sees it on the request. */
function endSlow({ socket }: IncomingMessage, res: ServerResponse): void {
  if (!res.headersSent) refuseConnection(socket, "408 Request Timeout");
  socket.destroySoon();
}

/** Large responses: behind requests, in turns of their clients. */
function pacing({ log, stalledMs = STALLED_MS }: ServerOptions, turns: TurnQueue): PacedWrites {
  return {
    inTurn: ({ req }, write) => turns.enterBehind(req.ctx.ip, write),
    stalledMs,
    stalled({ req: { ctx, method } }) {
      const seconds = Math.round(stalledMs / 1000);
      log.info("request.stalled", { method, path: ctx.path, seconds, req: ctx.id });
    },
  };
}

/** Before the turn queue: cheap steps, and responses that must not wait, such as health. */
const EARLY: readonly EdgeStage[] = ["observe", "protect", "answer"];

function createListener(
  options: ServerOptions,
  turns: TurnQueue,
): (req: Request, res: Response) => void {
  const edge = options.http.edge.compose(EARLY);
  const work = createWork(options, turns);
  // Rejected requests are logged, counted and get the headers of every response.
  const refusalEdge = options.http.edge.compose(["observe", "protect"]);
  const onError = createErrorStep(options);
  const observe = createObserver(options);
  const context = { ...options, nextId: createIds() };
  const { trustsProxy, http } = options;
  const { sitePath } = http;
  return (req, res) => {
    // Normally set by `app.handle`, which neither the edge nor the handlers go through.
    req.res = res;
    const isRemoved = trustsProxy && isPathRemoved(req.headers, sitePath.prefix);
    if (!isRemoved) req.url = sitePath.inside(req.url);
    req.originalUrl = req.url;
    req.baseUrl = "";
    // Also responses of routers, which `http.send` does not see.
    if (options.http.isDraining) res.shouldKeepAlive = false;
    const target = readTarget(req);
    options.http.openRequests += 1;
    req.ctx = new Context(req, target instanceof HttpError ? rejectedTarget(req) : target, context);
    res.on("close", observe);
    res.on("error", ignore);
    if (target instanceof HttpError) {
      res.setHeader("Connection", "close");
      return step(refusalEdge, { req, res, onError, next: () => onError(target, req, res) });
    }
    const next = (): void => {
      if (!turns.enter(() => work(req, res, onError))) onError(overloaded(), req, res);
    };
    const answer = (): void => step(edge, { req, res, onError, next });
    if (!options.timings) return answer();
    const timings = new RequestTimings();
    req.ctx.timings = timings;
    options.timings.run(timings, answer);
  };
}

type OnError = (error: unknown, req: Request, res: Response) => void;

/** The work of a request in its turn: cached responses, then the handlers. */
function createWork({ http, app, unanswered }: ServerOptions, turns: TurnQueue) {
  const edge = http.edge.compose(["cached"]);
  return (req: Request, res: Response, onError: OnError): void => {
    if (res.destroyed) return;
    const done = (error?: unknown): void =>
      error === undefined ? undefined : onError(error, req, res);
    const next = (): void => {
      unanswered.add(res);
      void app(req, res, done);
    };
    const later = (): void => (turns.enter(next) ? undefined : onError(overloaded(), req, res));
    step(edge, { req, res, onError, next, later });
  };
}

function overloaded(): HttpError {
  return new HttpError(503, "the site is busy, try again", { headers: { "Retry-After": "2" } });
}

function ignore(): void {
  // A client that disconnects is not a server error.
}

interface StepInput {
  req: Request;
  res: Response;
  onError: OnError;
  next: () => void;
  /** Used as `next` after an asynchronous step: many may end at once. */
  later?: () => void;
}

function step(edge: EdgeStep, { req, res, onError, next, later = next }: StepInput): void {
  try {
    const outcome = edge(req, res);
    if (outcome instanceof Promise) {
      outcome.then(
        (answered) => (answered === true ? undefined : later()),
        (error: unknown) => onError(error, req, res),
      );
    } else if (outcome !== true) next();
  } catch (error) {
    onError(error, req, res);
  }
}

function createErrorStep({ http, log }: ServerOptions) {
  const send = http.send.bind(http);
  const isJson = http.isJson.bind(http);
  const handle = errorHandler({ http: { send }, isJson, page: () => http.errorPage() });
  return (error: unknown, req: Request, res: Response): void => {
    handle(error, req, res, () => undefined).catch((failure: unknown) => {
      log.error("request.error_handler_failed", { error: String(failure) });
      res.destroy();
    });
  };
}

const RESPONSE_HOOK = "onResponse" satisfies HookNameOf<"notify">;

/** Logs each request once it has ended, and notifies `onResponse`. */
function createObserver({ hooks, http, log, unanswered }: ServerOptions) {
  return function observe(this: Response): void {
    http.openRequests -= 1;
    unanswered.delete(this);
    const { req } = this;
    const { ctx, method } = req;
    const status = sentStatus(this);
    const durationMs = Math.round((performance.now() - ctx.startedAt) * 100) / 100;
    const fields = { method, path: ctx.path, status, ms: durationMs, req: ctx.id };
    log.info("request", ctx.traceId === null ? fields : { ...fields, trace: ctx.traceId });
    if (hooks.has(RESPONSE_HOOK)) hooks.notify(RESPONSE_HOOK, { req, status, durationMs });
  };
}
