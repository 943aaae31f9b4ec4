/** Sessions as other plugins see them: the service, and the contract of a session store. */
import type { Request, Response } from "express";
import type { CreateHook, Handler } from "#kernel";

/** Type of session: a visitor of the site, or an account of the admin panel. */
export type SessionKind = "visitor" | "admin";

/** A stored session; plain JSON. */
export interface SessionRecord<K extends string = SessionKind | "request"> {
  readonly userId: string;
  /** `request`: the `req.session` of Express middleware, of no account. */
  readonly kind: K;
  readonly data: Readonly<Record<string, unknown>>;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms; from then on the front rejects the record, whatever the store does. */
  readonly expiresAt: number;
}

/** Time limits of store calls, in ms. */
export interface StoreLimits {
  /** Limit of `get`, which delays every page of a logged-in visitor. Default: 500. */
  readonly readMs?: number;
  /** Limit of writes, which delay logins and logouts. Default: 5,000. */
  readonly writeMs?: number;
}

/**
 * Stores sessions. Ids are digests (`visitor-`, `admin-` or `request-` and 64 hex characters), never cookie
 * values, and safe as file names and keys. Every method may throw when the store is unreachable.
 * The front limits the time of each call and stops calling a failing store for a second, separately
 * for reads and writes, since a full disk can still be read.
 */
export interface SessionStore {
  /** Time limits, if the defaults do not fit. */
  readonly limits?: StoreLimits;
  /** The record, or null; may return an expired record. */
  get(id: string): Promise<SessionRecord | null>;
  /** Stores or replaces the record; may delete it after `ttlSeconds`. */
  set(id: string, record: SessionRecord, ttlSeconds: number): Promise<void>;
  /** Deletes the record; ignores an unknown id. */
  destroy(id: string): Promise<void>;
  /** Deletes all records of a user, of both kinds; returns how many. */
  destroyUser(userId: string): Promise<number>;
  /**
   * Claims `key`: true for the first caller, false for others for at least `ttlSeconds`. Atomic.
   */
  claim?(key: string, ttlSeconds: number): Promise<boolean>;
  /** Deletes records that expired before `now` (Unix ms); returns how many. Called periodically. */
  sweep?(now: number): Promise<number>;
  /** Connects at startup, so that the first request need not; startup waits at most two seconds. */
  open?(): Promise<void>;
  /** Closes connections and handles. */
  close?(): Promise<void>;
}

/** A session during a request. */
export interface Session extends SessionRecord<SessionKind> {
  /** Digest of the cookie's id; can be logged and used to derive tokens. */
  readonly id: string;
}

/** Data of a new session. */
export interface Login {
  kind: SessionKind;
  userId: string;
  lifetimeSeconds: number;
  data?: Readonly<Record<string, unknown>>;
}

/** Data of a renewed session. */
export interface Renewal {
  kind: SessionKind;
  data: Readonly<Record<string, unknown>>;
  /** Data of the old id until it expires. */
  left: Readonly<Record<string, unknown>>;
}

/**
 * Sessions of visitors and of the admin panel in one store.
 *
 * @example
 * const session = site.use("session");
 * site.http.use("routes", (req, res, next) => {
 *   if (req.ctx.path !== "/orders") return next();
 *   const user = session.current(req, "visitor")?.userId;
 *   if (user === undefined) session.assertAvailable(req);
 *   return user === undefined ? res.redirect("/auth/login") : next();
 * });
 */
export interface SessionService {
  /**
   * Loads the session of a request with a well-formed cookie of that kind. If the store fails, the
   * request is anonymous; it never fails.
   */
  middleware(kind: SessionKind): Handler;
  /**
   * False when the browser will drop the cookie of a login in this request: cookies are `Secure`, and the request
   * came over plain http from another machine. Login pages say so.
   */
  keepsCookie(req: Request): boolean;
  /**
   * Leaves `req.session` below a path to an `express-session` of the caller, which has its own cookie and
   * store. Call it in `setup`.
   * @throws ERR_SESSION_PATH.
   */
  ownSessionBelow(prefix: string): void;
  /** The session found by the middleware or created by a login in this request. */
  current(req: Request, kind: SessionKind): Session | null;
  /**
   * Marks a request whose session or account cannot be read: it is anonymous, its response private, with `X-Site-Degraded: session`.
   */
  setUnavailable(req: Request): void;
  /** True after `setUnavailable`. */
  isUnavailable(req: Request): boolean;
  /**
   * Call it before a response that asks to log in: a logged-in visitor must not see that during an
   * outage.
   * @throws ERR_SESSION_STORE_DOWN (503) after `setUnavailable`.
   */
  assertAvailable(req: Request): void;
  /**
   * Starts a session under a new id and sets its cookie; ends the previous session of the request.
   * @throws ERR_SESSION_STORE_DOWN (503).
   */
  login(req: Request, res: Response, login: Login): Promise<Session>;
  /**
   * Moves the session to a new id with other data and the same expiry, for a change of privileges.
   * The old id works for ten more seconds.
   * @throws ERR_SESSION_STORE_DOWN, ERR_SESSION_NONE.
   */
  renew(req: Request, res: Response, renewal: Renewal): Promise<Session>;
  /**
   * Replaces the session's data; id and expiry stay the same.
   * @throws ERR_SESSION_STORE_DOWN, ERR_SESSION_NONE.
   */
  update(
    req: Request,
    kind: SessionKind,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Session>;
  /**
   * Ends the session and clears its cookie.
   * @throws ERR_SESSION_STORE_DOWN; the cookie is cleared in any case.
   */
  logout(req: Request, res: Response, kind: SessionKind): Promise<void>;
  /**
   * A session by the id of `Session.id`, for lists of sessions; null when it has ended.
   * @throws ERR_SESSION_STORE_DOWN.
   */
  find(id: string): Promise<Session | null>;
  /**
   * Ends the session with this `Session.id`; false when it had already ended.
   * @throws ERR_SESSION_STORE_DOWN.
   */
  revoke(id: string): Promise<boolean>;
  /**
   * Ends every session of a user; returns how many.
   * @throws ERR_SESSION_STORE_DOWN.
   */
  revokeUser(userId: string): Promise<number>;
  /**
   * Marks `key` as used for `ttlSeconds`, for single-use tokens: true once, then false, also across
   * restarts and nodes that share the store.
   * @throws ERR_SESSION_STORE_DOWN.
   */
  claim(key: string, ttlSeconds: number): Promise<boolean>;
  /**
   * 32 bytes unique to this site and purpose, derived (HKDF-SHA256) from SITE_AUTH_SECRET, or from
   * a secret generated once in the runtime folder.
   * @throws ERR_SESSION_SECRET.
   */
  secret(purpose: string): Promise<Buffer>;
}

/** A session of an account, as its owner sees it. Times are Unix ms. */
export interface ListedSession {
  /** Hex; `Session.id` without its kind. */
  readonly id: string;
  /** `Firefox 141 on Linux`. */
  readonly device: string;
  readonly address: string;
  readonly createdAt: number;
  /** Accurate to five minutes. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}
/** The place from which a session is used. */
export interface SessionOrigin {
  /** `User-Agent` of the browser; may be empty. */
  readonly agent: string;
  /** IP address of the client. */
  readonly address: string;
}
/** Lists where accounts are signed in. */
export interface SessionList {
  /** Notes a new session, or its use. Failing only means that the list is incomplete. */
  note(session: Session, from: SessionOrigin): Promise<void>;
  /** The account's sessions that have not ended, the last seen first. */
  list(userId: string): Promise<readonly ListedSession[]>;
  /** Ends one session of the account; false when it has no such session. */
  revoke(userId: string, id: string): Promise<boolean>;
  /** Deletes what is known about a deleted account. */
  forget(userId: string): Promise<void>;
}
/**
 * Lists where accounts are signed in, by kind of session.
 *
 * @example
 * const sessions = await site.use("sessionLists").visitor.list("u1");
 */
export interface SessionLists {
  readonly visitor: SessionList;
  readonly admin: SessionList;
}

/** Section `session_store` of system.yaml. */
export interface SessionStoreSection {
  type: string;
  url: string | null;
}
/** Payload of `onSessionStoreCreate`. */
export interface SessionStoreCreate {
  register(name: string, store: SessionStore): void;
  /** Makes a registered store the active one, overriding the config. */
  activate(name: string): void;
  readonly settings: SessionStoreSection;
}

declare module "#kernel" {
  interface Services {
    session: SessionService;
    sessionLists: SessionLists;
  }
  interface Engines {
    /**
     * Register a store in `onSessionStoreCreate`, or in `setup`.
     *
     * @example
     * import type { SessionRecord } from "sitewright/plugins";
     * const all = new Map<string, SessionRecord>();
     * site.engines.slot("sessionStore").register("memory", {
     *   get: async (id) => all.get(id) ?? null,
     *   set: async (id, record) => void all.set(id, record),
     *   destroy: async (id) => void all.delete(id),
     *   destroyUser: async (user) => [...all].filter(([id, r]) => r.userId === user && all.delete(id)).length,
     * });
     */
    sessionStore: SessionStore;
  }
  interface SystemSettings {
    session_store: SessionStoreSection;
  }
  interface HookMap {
    /**
     * At startup: register a store for the slot `sessionStore`.
     *
     * @example
     * import type { SessionStore } from "sitewright/plugins";
     * declare const store: SessionStore; // a key-value server
     * site.hooks.on("onSessionStoreCreate", ({ data }) => data.register("mine", store));
     */
    onSessionStoreCreate: CreateHook<SessionStoreCreate>;
  }
}
