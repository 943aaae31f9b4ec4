import type { Clock, Handler, Logger } from "#kernel";
import { SiteError } from "#kernel";
import type { Login, Session, SessionKind, SessionRecord, SessionService } from "./contract.js";
import { HttpSessions, type LoadedSession } from "./middleware.js";
import type { Secrets } from "./secret.js";
import { COOKIE_NAMES, sessionCookie, setCookieHeader, signId, storeKey } from "./session-id.js";
import type { SessionRecords } from "./session-records.js";

type Req = Parameters<Handler>[0];
type Res = Parameters<Handler>[1];
type Next = Parameters<Handler>[2];

/** What the service stands on. */
export interface ServiceOptions {
  records: SessionRecords;
  secrets: Secrets;
  clock: Clock;
  log: Logger;
  /** `Secure` on the cookies: everywhere but in dev. */
  isSecure: boolean;
}
/** What is known of a request's session: found, or the store did not answer. */
type State = Session | "unavailable";

/** Sessions over express-session and the active store. */
export class Sessions implements SessionService {
  readonly #options: ServiceOptions;
  readonly #states: Record<SessionKind, WeakMap<Req, State>> = {
    visitor: new WeakMap(),
    admin: new WeakMap(),
  };
  #signing: Promise<string> | null = null;
  readonly #http: Partial<Record<SessionKind, HttpSessions>> = {};

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  middleware(kind: SessionKind): Handler {
    return (req: Req, res: Res, next: Next) => {
      if (sessionCookie(req.headers.cookie, kind) === null) next();
      else void this.#load(kind, req, res).then(() => next());
    };
  }

  current(req: Req, kind: SessionKind): Session | null {
    const state = this.#states[kind].get(req);
    return state === undefined || state === "unavailable" ? null : state;
  }

  isUnavailable(req: Req, kind: SessionKind): boolean {
    return this.#states[kind].get(req) === "unavailable";
  }

  async login(req: Req, res: Res, login: Login): Promise<Session> {
    const { kind, userId, lifetimeSeconds, data = {} } = login;
    const createdAt = this.#options.clock.now();
    const expiresAt = createdAt + lifetimeSeconds * 1000;
    const http = await this.#httpOf(kind);
    const begun = await http.begin(req, res, { userId, kind, data, createdAt, expiresAt });
    const value = signId(begun.id, await this.#signingSecret());
    this.#setCookie(res, kind, { value, maxAgeSeconds: lifetimeSeconds });
    return this.#remember(req, kind, begun);
  }

  async update(req: Req, kind: SessionKind, data: SessionRecord["data"]): Promise<Session> {
    const session = this.current(req, kind);
    if (session === null) {
      throw new SiteError("ERR_SESSION_NONE", `the request has no ${kind} session to change`, {
        fix: "call login first",
      });
    }
    const { userId, createdAt, expiresAt } = session;
    const http = await this.#httpOf(kind);
    return this.#remember(
      req,
      kind,
      await http.save(req, { userId, kind, data, createdAt, expiresAt }),
    );
  }

  async logout(req: Req, res: Res, kind: SessionKind): Promise<void> {
    this.#setCookie(res, kind, { value: "", maxAgeSeconds: 0 });
    const state = this.#states[kind].get(req);
    if (sessionCookie(req.headers.cookie, kind) === null && state === undefined) return;
    this.#states[kind].delete(req);
    const http = await this.#httpOf(kind);
    const { record } = await http.load(req, res);
    if (record !== null) await http.end(req);
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

  async #load(kind: SessionKind, req: Req, res: Res): Promise<void> {
    try {
      const http = await this.#httpOf(kind);
      const loaded = await http.load(req, res);
      if (loaded.record !== null) this.#remember(req, kind, loaded);
    } catch (error) {
      this.#states[kind].set(req, "unavailable");
      // The guard has logged the outage itself; anything else is worth a line of its own.
      if (error instanceof SiteError && error.code === "ERR_SESSION_STORE_DOWN") return;
      this.#options.log.error("session.load_failed", { error: String(error) });
    }
  }

  #remember(req: Req, kind: SessionKind, { id, record }: LoadedSession): Session {
    if (record === null) throw new TypeError("a session without a record");
    const session: Session = { ...record, id: storeKey(kind, id) };
    this.#states[kind].set(req, session);
    return session;
  }

  #setCookie(res: Res, kind: SessionKind, cookie: { value: string; maxAgeSeconds: number }): void {
    const { value, maxAgeSeconds } = cookie;
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
