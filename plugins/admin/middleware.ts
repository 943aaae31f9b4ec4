import type { NextFunction, Request, RequestHandler, Response, Router } from "express";
import {
  engineFailureFields,
  type Handler,
  isRecord,
  type Logger,
  safeNext,
  type SiteContext,
} from "#kernel";
import { createRouter } from "#lib/http";
import type { SecurityService } from "../security/contract.js";
import type { SessionService } from "../session/contract.js";
import { ADMIN_HEADERS, adminHeaders, compressAnswers } from "./admin-headers.js";
import type { AdminIdentity, AuditEvent, Permission } from "./contract.js";
import {
  assertEverywhere,
  isAboutRecords,
  isAboutTheSite,
  isLimited,
  isLimitedToPaths,
  mayAt,
} from "./accounts/rights.js";
import { isCsrfToken, type Identities } from "./accounts/identities.js";
import { foreign, refusal, signedOut, wrongCsrf } from "./errors.js";
import type { GuardedRoute, RouteTable } from "./route-table.js";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Dependencies of the guard. */
export interface GuardDependencies {
  table: RouteTable;
  identities: Identities;
  session: SessionService;
  security: SecurityService;
  log: Logger;
  audit(event: AuditEvent): void;
}

/**
 * The single guard of everything below `{admin.path}`; identifies the sender of all other requests.
 */
export class Guard {
  readonly #parts: GuardDependencies;
  // No cache: a note per request.
  readonly #admitted = new WeakMap<Request, GuardedRoute>();
  #router: Router | null = null;

  constructor(parts: GuardDependencies) {
    this.#parts = parts;
  }

  /** Runs before any route: identifies the sender, and denies what is not allowed. */
  middleware(): Handler {
    const loadSession = this.#parts.session.middleware("admin");
    return (req: Request, res: Response, next: NextFunction) =>
      loadSession(req, res, (error?: unknown) => {
        if (error) next(error);
        else this.#enter(req, res, next);
      });
  }

  /**
   * The identity admitted to exactly this route. @throws when the guard did not see the request.
   */
  admitted(req: Request, route: GuardedRoute): AdminIdentity {
    const identity = this.#parts.identities.of(req);
    if (this.#admitted.get(req) !== route || identity === null) throw signedOut();
    return identity;
  }

  /**
   * Admits the sender to a route outside of the panel, by the same rules as below it.
   * @throws HttpError 401, 403.
   */
  async authorize(req: Request, permission: Permission | "any"): Promise<void> {
    if (this.#admitted.get(req)?.permission === permission) return;
    const { identities, session } = this.#parts;
    const identity = await identities.resolve(req);
    if (identity === null) {
      session.assertAvailable(req);
      throw signedOut();
    }
    const route = { permission, isForm: false, sessionOnly: false };
    if (!SAFE.has(req.method)) this.#assertIntended(req, identity, route);
    this.#assertAllowed(req, identity, route);
    if (permission !== "any" && isLimited(identity)) assertEverywhere(identity, permission);
  }

  /** Checks the form field `_csrf` after the body is parsed. */
  assertForm(req: Request, identity: AdminIdentity): void {
    if (identity.csrfToken === null || SAFE.has(req.method)) return;
    if (isCsrfToken(csrfHeader(req), identity.csrfToken)) return;
    const body: unknown = req.body;
    const field = isRecord(body) ? body["_csrf"] : undefined;
    if (!isCsrfToken(field, identity.csrfToken)) throw wrongCsrf(csrfHeader(req) ?? field);
  }

  #enter(req: Request, res: Response, next: NextFunction): void {
    const { table } = this.#parts;
    if (table.covers(req.ctx.path)) {
      const router = (this.#router ??= this.#createRouter());
      router(req, res, next);
    } else if (this.#isSomebody(req)) {
      this.#resolved(req).then(() => next(), next);
    } else next();
  }

  /** Outside the panel, the request is anonymous when the account or token cannot be read. */
  async #resolved(req: Request): Promise<void> {
    const { identities, session, log } = this.#parts;
    try {
      await identities.resolve(req);
    } catch (error) {
      session.setUnavailable(req);
      log.error("admin.identity_failed", engineFailureFields(error));
    }
  }

  #isSomebody(req: Request): boolean {
    const { session, identities } = this.#parts;
    return session.current(req, "admin") !== null || identities.hasToken(req);
  }

  #createRouter(): Router {
    const { table } = this.#parts;
    const router = createRouter({ caseSensitive: true, strict: true });
    for (const route of table.routes) {
      router[route.method](route.path, this.#guardOf(route));
    }
    router.use(async (req, res, next) => {
      const isPage = !req.ctx.path.startsWith(`${table.path}/api`);
      if (await this.#signedIn(req, res, { isPage })) next();
    });
    return router;
  }

  #guardOf(route: GuardedRoute): RequestHandler {
    return async (req, res, next) => {
      if (route.permission === "none") {
        next("router");
        return;
      }
      const identity = await this.#signedIn(req, res, route);
      if (identity === null) return;
      if (!SAFE.has(req.method)) this.#assertIntended(req, identity, route);
      this.#assertAllowed(req, identity, route);
      this.#admitted.set(req, route);
      next("router");
    };
  }

  /** Null when a redirect to the login page was sent. */
  async #signedIn(
    req: Request,
    res: Response,
    { isPage }: Pick<GuardedRoute, "isPage">,
  ): Promise<AdminIdentity | null> {
    const { identities, session, table } = this.#parts;
    const identity = await identities.resolve(req);
    if (identity !== null) return identity;
    session.assertAvailable(req);
    if (!isPage || !SAFE.has(req.method)) throw signedOut();
    const requested = req.ctx.search === "" ? req.ctx.path : `${req.ctx.path}?${req.ctx.search}`;
    // Too long, or not a path: signing in then leads to the panel.
    const target = safeNext(requested);
    const isWorth = target !== "/" && target !== table.path;
    const next = isWorth ? `?next=${encodeURIComponent(target)}` : "";
    const { ctx } = req;
    res.writeHead(302, {
      ...ctx.responseHeaders,
      ...ADMIN_HEADERS,
      Location: `${table.path}/login${next}`,
    });
    res.end();
    return null;
  }

  /**
   * Tokens are sent deliberately. Cookies are sent by any page, so cookie requests must prove their
   * origin.
   */
  #assertIntended(
    req: Request,
    identity: AdminIdentity,
    route: Pick<GuardedRoute, "isForm">,
  ): void {
    if (identity.csrfToken === null) return;
    if (!this.#parts.security.isSameOrigin(req.headers)) {
      this.#denied(req, identity, "origin");
      throw foreign(req.headers, this.#parts.security.senderOf(req.headers));
    }
    if (route.isForm || isCsrfToken(csrfHeader(req), identity.csrfToken)) return;
    this.#denied(req, identity, "csrf");
    throw wrongCsrf(csrfHeader(req));
  }

  #assertAllowed(
    req: Request,
    identity: AdminIdentity,
    route: Pick<GuardedRoute, "permission" | "sessionOnly">,
  ): void {
    const { permission, sessionOnly } = route;
    if (permission === "none") return;
    if (sessionOnly && identity.kind !== "session") {
      this.#denied(req, identity, "session");
      // A leaked token must not take an account over, nor speak for a person.
      const message = "only a person with a session may do this, not a token: sign in";
      throw refusal(403, "ERR_ADMIN_FORBIDDEN", message);
    }
    const isAllowed =
      permission === "any" ? identity.permissions.size > 0 : identity.permissions.has(permission);
    if (isAllowed) return this.#assertWithinFields(req, identity, permission);
    this.#denied(req, identity, permission);
    const needed = permission === "any" ? "a role of the admin panel" : `permission ${permission}`;
    const isTaken =
      permission !== "any" && isAboutRecords(permission) && isLimitedToPaths(identity);
    const why = isTaken
      ? "; a role or token that is limited to paths has no rights to records"
      : "";
    throw refusal(403, "ERR_ADMIN_FORBIDDEN", `${needed} is needed${why}`);
  }

  /** A token that is limited to fields changes pages, media and records only: the write path knows their fields. */
  #assertWithinFields(
    req: Request,
    { limits }: AdminIdentity,
    permission: Permission | "any",
  ): void {
    const fields = limits?.fields ?? null;
    if (fields === null || SAFE.has(req.method) || !isAboutTheSite(permission)) return;
    const message = `this token may change only ${fields.join(", ")} of pages, media and records; use another token`;
    throw refusal(403, "ERR_ADMIN_FORBIDDEN", message);
  }

  #denied(req: Request, identity: AdminIdentity, why: string): void {
    this.#parts.audit({
      event: "auth.denied",
      actor: identity,
      ip: req.ctx.ip,
      target: { type: "route", id: `${req.method} ${req.ctx.path}` },
      detail: { needed: why },
      outcome: "failure",
    });
  }
}

/** An admin with `pages.read` also sees unpublished pages in the public API and on the site. */
export function viewerMiddleware(identities: Identities): Handler {
  return (req: Request, _res: Response, next: NextFunction) => {
    const identity = identities.of(req);
    if (identity !== null && mayAt(identity, "pages.read", null)) {
      const roles = [...(req.ctx.state.viewer?.roles ?? []), ...identity.roles];
      req.ctx.state.viewer = { roles: [...new Set(roles)], seesUnpublished: true };
    }
    next();
  };
}

/** Adds the guard to the site's request phases. */
export function mountGuard(site: SiteContext, guard: Guard, parts: GuardDependencies): void {
  site.http.use("identity", guard.middleware());
  site.http.use("routes", viewerMiddleware(parts.identities));
  site.http.filter(adminHeaders(parts.table));
  site.http.filter(compressAnswers(parts.table));
}

function csrfHeader(req: Request): string | undefined {
  const header = req.headers["x-csrf-token"];
  return typeof header === "string" ? header : undefined;
}
