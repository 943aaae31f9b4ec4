import type { NextFunction, Request, Response } from "express";
import {
  type Answer,
  type AnswerFilter,
  engineFailureFields,
  type Handler,
  HttpError,
  type Logger,
  type Phase,
  type RequestContext,
} from "#kernel";
import type { SessionService } from "../session/contract.js";
import type { UsersService } from "../users/contract.js";
import { dropUserHeader, setVisitor, type Visitors } from "./visitors.js";
import { isSpeculative } from "./routes/auth-context.js";
import type { TokenUsers } from "./tokens/token-users.js";

/** A path that ends with a file extension. */
const FILE = /\.[^/.]+$/;

/** Dependencies of the visitor middleware. */
export interface VisitorDependencies {
  sessions: SessionService;
  users: UsersService;
  visitors: Visitors;
  log: Logger;
}

/** Mode `dune`: the visitor of the session. If a store is down, the request is anonymous. */
export function visitorMiddleware({
  sessions,
  users,
  visitors,
  log,
}: VisitorDependencies): Handler {
  return async (req: Request, res: Response, next: NextFunction) => {
    dropUserHeader(req);
    const session = sessions.current(req, "visitor");
    try {
      const visitor = session === null ? null : await visitors.of(session);
      const user = visitor?.user;
      setVisitor(req, user === undefined ? null : { user, shown: users.public(user) });
      const renewal = visitor?.renewal ?? null;
      // A new id may only go out with a response for this visitor: files may be cached on the way, with
      // their cookies. HEAD and prefetch requests change nothing.
      const mayRenew = !isSpeculative(req) && !FILE.test(req.ctx.path);
      if (renewal !== null && mayRenew) {
        // The visitor keeps their identity with current roles. If the store fails, the next request renews.
        await sessions.renew(req, res, renewal).catch((error: unknown) => {
          log.warn("auth.session_not_renewed", engineFailureFields(error));
        });
      }
    } catch (error) {
      setVisitor(req, null);
      sessions.setUnavailable(req);
      log.error("auth.user_failed", engineFailureFields(error));
    }
    next();
  };
}

/** Mode `external-jwt`: the user of the bearer token; anonymous for an invalid one. */
export function tokenMiddleware(
  tokens: TokenUsers,
  { sessions, users, log }: Pick<VisitorDependencies, "sessions" | "users" | "log">,
): Handler {
  return async (req: Request, _res: Response, next: NextFunction) => {
    dropUserHeader(req);
    try {
      const user = await tokens.findUser(req.headers.authorization);
      setVisitor(req, user === null ? null : { user, shown: users.public(user) });
    } catch (error) {
      setVisitor(req, null);
      sessions.setUnavailable(req);
      log.error("auth.token_failed", engineFailureFields(error));
    }
    next();
  };
}

const CSP = "Content-Security-Policy";

/** Responses below `/auth/` are private, not framed, and send no referrer. */
export const authHeaders: AnswerFilter = (req, _res, answer) => {
  const { path, responseHeaders = {} }: RequestContext = req.ctx;
  if (!path.startsWith("/auth/")) return;
  // The script of passkeys, named by its digest.
  if (answer.headers?.["Cache-Control"]?.endsWith("immutable") === true) return;
  const policy = answer.headers?.[CSP] ?? responseHeaders[CSP];
  answer.headers = {
    ...answer.headers,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    [CSP]: notFramed(policy),
  };
};

function notFramed(policy = "frame-ancestors 'none'"): string {
  return policy.replace(/frame-ancestors[^;]*/, "frame-ancestors 'none'");
}

/** The phase of `notConfigured`: after every route. */
export const AFTER_ROUTES: Phase = "pages";

/** A login method that is not configured responds 404 to every method. */
export const notConfigured: Handler = (req: Request, _res: Response, next: NextFunction) => {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead && req.ctx.path.startsWith("/auth/")) throw new HttpError(404, "Not found");
  next();
};

/** Adds the bearer challenge where a user is required (RFC 6750). */
export const challengeFilter: AnswerFilter = (req, _res, answer: Answer) => {
  if (answer.status !== 401) return;
  const wrong = req.headers.authorization === undefined ? "" : ', error="invalid_token"';
  answer.headers = { ...answer.headers, "WWW-Authenticate": `Bearer realm="site"${wrong}` };
};
