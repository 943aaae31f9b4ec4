import type { NextFunction, Request, Response } from "express";
import {
  HttpError,
  type Answer,
  type AnswerFilter,
  type Handler,
  type Logger,
  type Phase,
} from "#kernel";
import type { Renewal, SessionService } from "../session/contract.js";
import type { UsersService } from "../users/contract.js";
import { dropUserHeader, setVisitor } from "./current-user.js";
import { isSpeculative } from "./speculative.js";
import type { TokenUsers } from "./token-users.js";
import type { Visitors } from "./visitors.js";

/** A path that ends like a file's name. */
const FILE = /\.[^/.]+$/;

/** What finding out who asks needs. */
export interface VisitorParts {
  sessions: SessionService;
  users: UsersService;
  visitors: Visitors;
  log: Logger;
}

/** Mode `dune`: the visitor of the session. A store that is away makes the request anonymous. */
export function visitorMiddleware({ sessions, users, visitors, log }: VisitorParts): Handler {
  return async (req: Request, res: Response, next: NextFunction) => {
    dropUserHeader(req);
    const session = sessions.current(req, "visitor");
    try {
      const visitor = session === null ? null : await visitors.of(session);
      const user = visitor?.user;
      setVisitor(req, user === undefined ? null : { user, shown: users.public(user) });
      const renewal = visitor?.renewal ?? null;
      if (renewal !== null && mayRenew(req))
        await renewed({ sessions, log }, { req, res }, renewal);
    } catch (error) {
      setVisitor(req, null);
      sessions.setUnavailable(req);
      log.error("auth.user_failed", { error: String(error) });
    }
    next();
  };
}

/**
 * A fresh id goes out with what is made for this visitor alone: files may be kept by anybody on the
 * way, cookie and all. HEAD and what is fetched in advance change nothing.
 */
function mayRenew(req: Request): boolean {
  return !isSpeculative(req) && !FILE.test(req.ctx.path);
}

/** The visitor stays who they are, with the roles of now, also when the store fails: next time then. */
async function renewed(
  { sessions, log }: Pick<VisitorParts, "sessions" | "log">,
  { req, res }: { req: Request; res: Response },
  renewal: Renewal,
): Promise<void> {
  try {
    await sessions.renew(req, res, renewal);
  } catch (error) {
    log.warn("auth.session_not_renewed", { error: String(error) });
  }
}

/** Mode `external-jwt`: the user of the bearer token; a bad one is nobody's. */
export function tokenMiddleware(
  tokens: TokenUsers,
  { sessions, users, log }: Pick<VisitorParts, "sessions" | "users" | "log">,
): Handler {
  return async (req: Request, _res: Response, next: NextFunction) => {
    dropUserHeader(req);
    try {
      const user = await tokens.userOf(req.headers.authorization);
      setVisitor(req, user === null ? null : { user, shown: users.public(user) });
    } catch (error) {
      setVisitor(req, null);
      sessions.setUnavailable(req);
      log.error("auth.token_failed", { error: String(error) });
    }
    next();
  };
}

/** Answers below `/auth/` are nobody else's, are framed by nobody and tell nobody where they are. */
export const authHeaders: AnswerFilter = (req, _res, answer) => {
  const { path, outgoing } = req.ctx;
  if (!path.startsWith("/auth/")) return;
  const policy = answer.headers?.["Content-Security-Policy"] ?? outgoing["Content-Security-Policy"];
  answer.headers = {
    ...answer.headers,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": notFramed(policy),
  };
};

function notFramed(policy = "frame-ancestors 'none'"): string {
  return policy.replace(/frame-ancestors[^;]*/, "frame-ancestors 'none'");
}

/** Where `notConfigured` stands: behind every route. */
export const AFTER_ROUTES: Phase = "pages";

/** A way to log in that is not configured is not there, whatever the method. */
export const notConfigured: Handler = (req: Request, _res: Response, next: NextFunction) => {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead && req.ctx.path.startsWith("/auth/")) throw new HttpError(404, "Not found");
  next();
};

/** Says, where a user is needed, that a bearer token makes one (RFC 6750). */
export const challengeFilter: AnswerFilter = (req, _res, answer: Answer) => {
  if (answer.status !== 401) return;
  const wrong = req.headers.authorization === undefined ? "" : ', error="invalid_token"';
  answer.headers = { ...answer.headers, "WWW-Authenticate": `Bearer realm="site"${wrong}` };
};
