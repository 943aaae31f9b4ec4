import session from "express-session";
import type { NextFunction, Request, Response } from "express";
import { type Clock, engineFailureFields, type Handler, type SiteContext } from "#kernel";
import { RecordStore, type SessionFormat } from "../middleware.js";
import { newSessionId, REQUEST_SESSION_COOKIE, storeKey } from "../session-id.js";
import { type SessionRecords, storeDown } from "../session-records.js";

/** Lifetime after the last change, in ms. */
const LIFETIME_MS = 30 * 24 * 3600 * 1000;

/** Requests of which the middleware that reads `req.session` first is looked at, after a start. */
const MAX_LOOKS = 1_000;

/** Dependencies of `req.session`. */
export interface RequestSessionOptions {
  readonly records: SessionRecords;
  /** The key that signs the cookie. */
  secret(): Buffer;
  /** Marks a request whose session cannot be read. */
  setUnavailable(req: Request): void;
  isUnavailable(req: Request): boolean;
  /** True where an `express-session` of a plugin provides `req.session`. */
  hasOwnSession(req: Request): boolean;
}

/**
 * `req.session` of express-session for the Express middleware of plugins, in the active session
 * store. It belongs to the browser and is independent of logins. A session that a host application
 * has put on the request stays.
 *
 * For a request without its cookie, express-session runs when a handler first reads `req.session`:
 * before every request it would double the cost of a bare Express response (bench/RESULTS.md).
 */
export function mountRequestSession(site: SiteContext, options: RequestSessionOptions): void {
  const prepared = new WeakSet<object>();
  let handler: Handler | null = null;
  // Created by the first request that needs it: a site that does not use it gets no secret.
  const handle: Handler = (req, res, next) => {
    handler ??= createHandler(
      options.secret(),
      new RecordStore(options.records, requestFormat(site.runtime.clock)),
    );
    return handler(req, res, next);
  };
  const logError = (error?: unknown): void => {
    if (error) site.log.error("session.request_session_failed", engineFailureFields(error));
  };
  const warned = new Set<string>();
  let looks = 0;
  const warnOfOther = (req: Request): void => {
    // A stack for each request would cost more than the session.
    if (looks >= MAX_LOOKS) return;
    looks += 1;
    // express-session steps aside when it finds a session: its first line reads one.
    if (!/at session \(.*express-session/.test(new Error().stack ?? "")) return;
    const path = req.baseUrl || "/";
    if (warned.has(path)) return;
    warned.add(path);
    site.log.warn("session.own_middleware_ignored", {
      path,
      cause:
        "express-session steps aside where req.session exists: its cookie and store are not used",
      fix: `leave it the path: site.use("session").ownSessionBelow(${JSON.stringify(path)}) in setup`,
    });
  };
  const create = (req: Request): void => {
    if (req.res === undefined) return;
    warnOfOther(req);
    setOwnSession(req, undefined);
    void handle(req, req.res, logError);
  };
  site.http.use("identity", (req: Request, res: Response, next) => {
    defineLazySession(req, prepared, create);
    if (options.hasOwnSession(req)) {
      setOwnSession(req, undefined);
      next();
      return;
    }
    if (!hasCookie(req) || Object.hasOwn(req, "session")) {
      next();
      return;
    }
    setOwnSession(req, undefined);
    void handle(req, res, (error?: unknown) => {
      logError(error);
      // Errors of saving come after the response.
      if (res.headersSent) return;
      if (error) options.setUnavailable(req);
      next();
    });
  });
  // Without the store `req.session` is undefined, as express-session has it: a handler that needs it fails.
  // oxlint-disable-next-line max-params -- Express knows error handlers by their four parameters
  site.http.use("pages", (error: unknown, req: Request, _res: Response, next: NextFunction) => {
    next(error instanceof TypeError && options.isUnavailable(req) ? storeDown(error) : error);
  });
  site.http.filter((req) => {
    // A viewer, even an anonymous one, makes the response private and uncacheable.
    if (hasData(req)) req.ctx.state.viewer ??= { roles: null, seesUnpublished: false };
  });
}

function createHandler(secret: Buffer, store: session.Store): Handler {
  return session({
    name: REQUEST_SESSION_COOKIE,
    secret: secret.toString("base64url"),
    store,
    genid: newSessionId,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: "lax", secure: "auto", maxAge: LIFETIME_MS },
  });
}

/**
 * Adds `session` to the prototype of requests, once: a field per request would cost memory. `prepared`: the
 * prototypes that have it.
 */
function defineLazySession(
  req: Request,
  prepared: WeakSet<object>,
  create: (req: Request) => void,
): void {
  const prototype: unknown = Object.getPrototypeOf(req);
  if (typeof prototype !== "object" || prototype === null) return;
  if (prepared.has(prototype)) return;
  prepared.add(prototype);
  Object.defineProperty(prototype, "session", {
    configurable: true,
    get(this: Request): unknown {
      create(this);
      return ownSession(this);
    },
    set(this: Request, value: unknown) {
      setOwnSession(this, value);
    },
  });
}

function setOwnSession(req: Request, value: unknown): void {
  Object.defineProperty(req, "session", {
    value,
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

function ownSession(req: Request): unknown {
  return Object.getOwnPropertyDescriptor(req, "session")?.value;
}

/** True when the session has more than its cookie. */
function hasData(req: Request): boolean {
  const loaded = ownSession(req);
  return typeof loaded === "object" && loaded !== null && Object.keys(loaded).length > 1;
}

function hasCookie({ headers: { cookie } }: Request): boolean {
  return cookie !== undefined && cookie.includes(`${REQUEST_SESSION_COOKIE}=`);
}

/** The record contains the session as JSON, with its cookie. */
function requestFormat(clock: Clock): SessionFormat<"request"> {
  return {
    kind: "request",
    // `createSession` of express-session parses the date in the cookie.
    read: ({ data }) => (typeof data["session"] === "string" ? JSON.parse(data["session"]) : null),
    write: (id, data) => {
      const createdAt = clock.now();
      return {
        // Unique, so that ending the sessions of an account never ends this one.
        userId: storeKey("request", id),
        kind: "request",
        data: { session: JSON.stringify(data) },
        createdAt,
        expiresAt: createdAt + LIFETIME_MS,
      };
    },
  };
}
