import { type Clock, engineFailureFields, type Handler, type Logger, SiteError } from "#kernel";
import type { Viewer } from "../content/contract.js";
import type {
  Login,
  Renewal,
  Session,
  SessionKind,
  SessionRecord,
  SessionService,
} from "./contract.js";
import type { HttpSessions, LoadedSession } from "./middleware.js";
import type { Secrets } from "./secret.js";
import {
  COOKIE_NAMES,
  kindOfKey,
  sessionCookie,
  setCookieHeader,
  signId,
  storeKey,
} from "./session-id.js";
import { type SessionRecords, storeDown } from "./session-records.js";

type Req = Parameters<Handler>[0];
type Res = Parameters<Handler>[1];
type Next = Parameters<Handler>[2];

/** Dependencies of the service. */
export interface ServiceOptions {
  records: SessionRecords;
  secrets: Secrets;
  clock: Clock;
  log: Logger;
  /** True: cookies are `Secure`, as always except in dev. */
  isSecure: boolean;
}
/** How long an old id stays valid after a renewal, in ms. */
const LEFT_MS = 10_000;
const ANONYMOUS: Viewer = { roles: null, seesUnpublished: false };

/** A session as others see it, and as the store has it. */
interface CurrentSession {
  readonly session: Session;
  readonly loaded: LoadedSession;
}

/** Combines sessions over HTTP with the active store. */
export class Sessions implements SessionService {
  readonly #options: ServiceOptions;
  // No cache: a note per request.
  readonly #states: Record<SessionKind, WeakMap<Req, CurrentSession>> = {
    visitor: new WeakMap(),
    admin: new WeakMap(),
  };
  readonly #unavailable = new WeakSet<Req>();
  readonly #ownPrefixes: string[] = [];
  #signing: Promise<string> | null = null;
  #hasWarned = false;
  readonly #http: Partial<Record<SessionKind, HttpSessions>> = {};

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  middleware(kind: SessionKind): Handler {
    return (req: Req, _res: Res, next: Next) => {
      if (sessionCookie(req.headers.cookie, kind) === null) next();
      else void this.#load(kind, req).then(() => next());
    };
  }

  current(req: Req, kind: SessionKind): Session | null {
    return this.#find(req, kind)?.session ?? null;
  }

  ownSessionBelow(prefix: string): void {
    if (typeof prefix !== "string" || !prefix.startsWith("/")) {
      throw new SiteError(
        "ERR_SESSION_PATH",
        `ownSessionBelow: expected a path such as "/shop", received ${JSON.stringify(prefix) ?? "nothing"}`,
        { fix: "pass the path of the router that has the express-session" },
      );
    }
    this.#ownPrefixes.push(prefix.replace(/\/+$/, ""));
  }

  /** True below a path with an `express-session` of its own. */
  hasOwnSession({ ctx: { path } }: Req): boolean {
    return this.#ownPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  }

  setUnavailable(req: Req): void {
    this.#unavailable.add(req);
    const { ctx } = req;
    ctx.responseHeaders = { ...ctx.responseHeaders, "X-Site-Degraded": "session" };
    // A viewer, even an anonymous one, makes the response private and uncacheable.
    ctx.state.viewer ??= ANONYMOUS;
  }

  isUnavailable(req: Req): boolean {
    return this.#unavailable.has(req);
  }

  assertAvailable(req: Req): void {
    if (this.#unavailable.has(req)) throw storeDown();
  }

  async login(req: Req, res: Res, login: Login): Promise<Session> {
    const { kind, userId, lifetimeSeconds, data = {} } = login;
    const createdAt = this.#options.clock.now();
    const expiresAt = createdAt + lifetimeSeconds * 1000;
    const old = await this.#carried(req, kind);
    const http = await this.#httpOf(kind);
    const begun = await http.begin(req, res, { userId, kind, data, createdAt, expiresAt });
    // Delete the old session last, so that a crash in between logs no user out.
    if (old !== null) await http.end(old);
    return this.#hand(req, res, begun);
  }

  async renew(req: Req, res: Res, { kind, data, left }: Renewal): Promise<Session> {
    const { id, record } = this.#require(req, kind).loaded;
    const http = await this.#httpOf(kind);
    const begun = await http.begin(req, res, { ...record, data });
    // Revoked since it was read: an ended session must not continue under another id.
    if ((await http.find(id)) === null) {
      await http.end(begun);
      throw noSession(kind);
    }
    const expiresAt = Math.min(record.expiresAt, this.#options.clock.now() + LEFT_MS);
    await http.save({ id, record: { ...record, data: left, expiresAt } });
    return this.#hand(req, res, begun);
  }

  async update(req: Req, kind: SessionKind, data: SessionRecord["data"]): Promise<Session> {
    const { id, record } = this.#require(req, kind).loaded;
    const changed: LoadedSession = { id, record: { ...record, data } };
    await (await this.#httpOf(kind)).save(changed);
    return this.#remember(req, kind, changed);
  }

  async logout(req: Req, res: Res, kind: SessionKind): Promise<void> {
    this.#setCookie(res, kind, "", 0);
    const old = await this.#carried(req, kind);
    this.#states[kind].delete(req);
    if (old !== null) await (await this.#httpOf(kind)).end(old);
  }

  async find(id: string): Promise<Session | null> {
    const kind = kindOfKey(id);
    const record = kind === null ? null : await this.#options.records.byKey(kind, id);
    return record === null ? null : { ...record, id };
  }

  async revoke(id: string): Promise<boolean> {
    if ((await this.find(id)) === null) return false;
    await this.#options.records.destroyKey(id);
    return true;
  }

  revokeUser(userId: string): Promise<number> {
    return this.#options.records.destroyUser(userId);
  }

  claim(key: string, ttlSeconds: number): Promise<boolean> {
    return this.#options.records.claim(key, ttlSeconds);
  }

  secret(purpose: string): Promise<Buffer> {
    return this.#options.secrets.derive(purpose);
  }

  /** Sends a new session to the browser. */
  async #hand(req: Req, res: Res, begun: LoadedSession): Promise<Session> {
    const { kind, expiresAt } = begun.record;
    const value = signId(begun.id, await this.#signingSecret());
    const maxAgeSeconds = Math.ceil((expiresAt - this.#options.clock.now()) / 1000);
    this.#setCookie(res, kind, value, maxAgeSeconds);
    if (!this.keepsCookie(req)) this.#warnOfDroppedCookie(req);
    return this.#remember(req, kind, begun);
  }

  keepsCookie(req: Req): boolean {
    return !this.#options.isSecure || keepsSecureCookie(req);
  }

  /** Once per startup: each login of each visitor would repeat it. */
  #warnOfDroppedCookie(req: Req): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.log.warn("session.cookie_dropped", {
      message:
        "login over plain http: browsers drop the Secure session cookie, so the visitor returns to the login page",
      host: req.headers.host?.slice(0, 200),
      fix: "serve the site over https; behind a proxy that does, set server.trust_proxy (system.yaml)",
    });
  }

  #find(req: Req, kind: SessionKind): CurrentSession | null {
    return this.#states[kind].get(req) ?? null;
  }

  #require(req: Req, kind: SessionKind): CurrentSession {
    const current = this.#find(req, kind);
    if (current !== null) return current;
    throw noSession(kind);
  }

  /** The session the request came with or was given since. */
  async #carried(req: Req, kind: SessionKind): Promise<LoadedSession | null> {
    const current = this.#find(req, kind);
    if (current !== null) return current.loaded;
    if (sessionCookie(req.headers.cookie, kind) === null) return null;
    return (await this.#httpOf(kind)).read(req);
  }

  async #load(kind: SessionKind, req: Req): Promise<void> {
    try {
      const http = await this.#httpOf(kind);
      const loaded = await http.read(req);
      if (loaded !== null) this.#remember(req, kind, loaded);
    } catch (error) {
      this.setUnavailable(req);
      // The guard has already logged the outage; other errors are logged here.
      if (error instanceof SiteError && error.code === "ERR_SESSION_STORE_DOWN") return;
      this.#options.log.error("session.load_failed", engineFailureFields(error));
    }
  }

  #remember(req: Req, kind: SessionKind, loaded: LoadedSession): Session {
    const session: Session = { ...loaded.record, id: storeKey(kind, loaded.id) };
    this.#states[kind].set(req, { session, loaded });
    return session;
  }

  #setCookie(res: Res, kind: SessionKind, value: string, maxAgeSeconds: number): void {
    const secure = this.#options.isSecure;
    const set = [res.getHeader("Set-Cookie") ?? []].flat().map(String);
    const others = set.filter((header) => !header.startsWith(`${COOKIE_NAMES[kind]}=`));
    res.setHeader("Set-Cookie", [
      ...others,
      setCookieHeader(kind, value, { maxAgeSeconds, secure }),
    ]);
  }

  async #httpOf(kind: SessionKind): Promise<HttpSessions> {
    const secret = await this.#signingSecret();
    // express-session is loaded for the first session.
    const { HttpSessions } = await import("./middleware.js");
    return (this.#http[kind] ??= new HttpSessions(kind, this.#options.records, secret));
  }

  #signingSecret(): Promise<string> {
    this.#signing ??= this.#options.secrets
      .derive("session-cookie")
      .then((secret) => secret.toString("base64url"));
    this.#signing.catch(() => {
      this.#signing = null;
    });
    return this.#signing;
  }
}

function noSession(kind: SessionKind): SiteError {
  return new SiteError("ERR_SESSION_NONE", `the request has no ${kind} session to change`, {
    fix: "call login first",
  });
}

const LOCAL = /^(?:(?:[^:]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * False when a browser drops a `Secure` cookie of the response: the request came over plain http from a host that is
 * not this machine. A proxy that ends TLS says so in `X-Forwarded-Proto`, trusted or not: only the words of a notice
 * depend on it.
 */
function keepsSecureCookie({ ctx, headers }: Req): boolean {
  if (ctx.protocol === "https" || LOCAL.test(headers.host ?? "")) return true;
  const forwarded = [headers["x-forwarded-proto"] ?? ""].flat().join(",");
  return /^\s*https\b/i.test(forwarded) || headers.origin?.startsWith("https:") === true;
}
