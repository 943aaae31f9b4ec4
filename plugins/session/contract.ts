/** What others may know of sessions: the service, and the contract of a session store. */
import type { Request, Response } from "express";
import type { CreateHook, Handler } from "#kernel";

/** Whose session: a visitor of the site, or an account of the admin panel. */
export type SessionKind = "visitor" | "admin";

/** What a session store keeps under an id. Plain JSON. */
export interface SessionRecord {
  readonly userId: string;
  readonly kind: SessionKind;
  readonly data: Readonly<Record<string, unknown>>;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms; the front refuses the record from then on, whatever the store does. */
  readonly expiresAt: number;
}

/** How long the front waits for one call of a store, in ms. */
export interface StoreLimits {
  /** For `get`: every page of a logged-in visitor waits for it. Default: 500. */
  readonly readMs?: number;
  /** For calls that change something: logins and logouts wait for them. Default: 5,000. */
  readonly writeMs?: number;
}

/**
 * Where sessions are kept. Ids are digests (`visitor-` or `admin-` and 64 hex characters), never
 * the value of a cookie, and safe as file names and keys. Every method may throw when the store is
 * unreachable. The front limits each call and stops calling a failing store for a second: reads and
 * writes apart, since a full disk can still be read.
 */
export interface SessionStore {
  /** What this store needs, where the defaults are too short or too long. */
  readonly limits?: StoreLimits;
  /** The record, or null; an expired one may be given or not. */
  get(id: string): Promise<SessionRecord | null>;
  /** Keeps the record, replacing another of that id; may forget it after `ttlSeconds`. */
  set(id: string, record: SessionRecord, ttlSeconds: number): Promise<void>;
  /** Forgets the record; an unknown id is fine. */
  destroy(id: string): Promise<void>;
  /** Forgets every record of a user, of both kinds; answers how many there were. */
  destroyUser(userId: string): Promise<number>;
  /** Marks `key`: true for the first caller, false for others at least `ttlSeconds` long. Atomic. */
  claim?(key: string, ttlSeconds: number): Promise<boolean>;
  /** Removes what expired before `now` (Unix ms); answers how many records. Called now and then. */
  sweep?(now: number): Promise<number>;
  /** Connects at the start, so that the first request need not; the start waits two seconds at most. */
  open?(): Promise<void>;
  /** Lets go of connections and handles. */
  close?(): Promise<void>;
}

/** A session as a request sees it. */
export interface Session extends SessionRecord {
  /** Digest of the cookie's id: fit to derive tokens from and to log. */
  readonly id: string;
}

/** What begins a session. */
export interface Login {
  kind: SessionKind;
  userId: string;
  lifetimeSeconds: number;
  data?: Readonly<Record<string, unknown>>;
}

/** What a session carries on with. */
export interface Renewal {
  kind: SessionKind;
  data: Readonly<Record<string, unknown>>;
  /** What the old id still carries until it ends. */
  left: Readonly<Record<string, unknown>>;
}

/** Sessions of visitors and of the admin panel, in one store. */
export interface SessionService {
  /**
   * Loads the session of a request that carries a well-formed cookie of that kind; every other
   * request passes untouched. A failing store makes the request anonymous, never an error.
   */
  middleware(kind: SessionKind): Handler;
  /** The session that the middleware, or a login in this request, has found. */
  current(req: Request, kind: SessionKind): Session | null;
  /**
   * Marks a request whose session or account cannot be read now: it continues as an anonymous one, and
   * its response is private and carries `X-Site-Degraded: session`. The middleware does so itself when
   * the session store fails; whoever reads accounts behind sessions does when theirs fails.
   */
  setUnavailable(req: Request): void;
  /** True after `setUnavailable`. */
  isUnavailable(req: Request): boolean;
  /**
   * Call it before a response that says "log in": a visitor who is logged in must not read that while
   * nobody can look them up. Throws ERR_SESSION_STORE_DOWN (503) after `setUnavailable`.
   */
  assertAvailable(req: Request): void;
  /**
   * Begins a session under a fresh id and sets its cookie; the session the request came with ends.
   * Throws ERR_SESSION_STORE_DOWN (503).
   */
  login(req: Request, res: Response, login: Login): Promise<Session>;
  /**
   * Carries the session on under a fresh id, with other data, until the same time. The old id ends ten
   * seconds later: requests that are under way with it log nobody out. For a change of privileges.
   * Throws ERR_SESSION_STORE_DOWN, ERR_SESSION_NONE.
   */
  renew(req: Request, res: Response, renewal: Renewal): Promise<Session>;
  /** Replaces the session's data; id and expiry stay. Throws ERR_SESSION_STORE_DOWN, ERR_SESSION_NONE. */
  update(
    req: Request,
    kind: SessionKind,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Session>;
  /** Ends the session and clears its cookie. Throws ERR_SESSION_STORE_DOWN; the cookie is cleared all the same. */
  logout(req: Request, res: Response, kind: SessionKind): Promise<void>;
  /** Ends every session of a user; answers how many. Throws ERR_SESSION_STORE_DOWN. */
  revokeUser(userId: string): Promise<number>;
  /**
   * Marks `key` as used for `ttlSeconds`: true once, then false, also across restarts, and across
   * nodes when the store is shared. For single-use tokens. Throws ERR_SESSION_STORE_DOWN.
   */
  claim(key: string, ttlSeconds: number): Promise<boolean>;
  /**
   * 32 bytes that are this site's own for one purpose, derived (HKDF-SHA256) from SITE_AUTH_SECRET,
   * or from a secret made once and kept in the runtime folder. Throws ERR_SESSION_SECRET.
   */
  secret(purpose: string): Promise<Buffer>;
}

/** Section `session_store` of system.yaml. */
export interface SessionStoreSection {
  type: string;
  url: string | null;
}
/** Payload of `onSessionStoreCreate`. */
export interface SessionStoreCreate {
  register(name: string, store: SessionStore): void;
  /** Makes a registered store the one in use, whatever the config says. */
  activate(name: string): void;
  readonly settings: SessionStoreSection;
}

declare module "#kernel" {
  interface Services {
    session: SessionService;
  }
  interface Engines {
    sessionStore: SessionStore;
  }
  interface SystemSettings {
    session_store: SessionStoreSection;
  }
  interface HookMap {
    onSessionStoreCreate: CreateHook<SessionStoreCreate>;
  }
}
