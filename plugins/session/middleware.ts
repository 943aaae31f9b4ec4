import session from "express-session";
import type { Request, RequestHandler, Response } from "express";
import type { SessionKind, SessionRecord } from "./contract.js";
import { COOKIE_NAMES, newSessionId, sessionCookie } from "./session-id.js";
import type { SessionRecords } from "./session-records.js";

declare module "express-session" {
  interface SessionData {
    record: SessionRecord;
  }
}

/** A request's session of one kind. */
export interface LoadedSession {
  /** The id as the cookie carries it. */
  readonly id: string;
  readonly record: SessionRecord | null;
}

/** express-session's session and the view of the request it belongs to. */
interface Held {
  readonly view: Request;
  readonly session: Request["session"];
}

/**
 * express-session for one kind of session. It checks the cookie's signature, loads, regenerates,
 * saves and destroys; when to do so, and the `Set-Cookie` header, are the service's.
 */
export class HttpSessions {
  readonly #kind: SessionKind;
  readonly #handler: RequestHandler;
  readonly #held = new WeakMap<Request, Held>();

  constructor(kind: SessionKind, records: SessionRecords, secret: string) {
    this.#kind = kind;
    this.#handler = session({
      name: COOKIE_NAMES[kind],
      secret,
      store: new RecordStore(kind, records),
      genid: newSessionId,
      resave: false,
      saveUninitialized: false,
    });
  }

  /** Loads the session of the request, or prepares an empty one. Rejects when the store fails. */
  async load(req: Request, res: Response): Promise<LoadedSession> {
    const held = this.#held.get(req) ?? (await this.#attach(req, res));
    return { id: held.session.id, record: held.session.record ?? null };
  }

  /** Saves the record under a fresh id; the loaded session, if any, is destroyed first. */
  async begin(req: Request, res: Response, record: SessionRecord): Promise<LoadedSession> {
    const loaded = await this.load(req, res);
    if (loaded.record !== null) {
      const { view, session: old } = this.#of(req);
      await settled((done) => old.regenerate(done));
      this.#take(req, view);
    }
    return this.save(req, record);
  }

  /** Saves the record under the id of the loaded session. */
  async save(req: Request, record: SessionRecord): Promise<LoadedSession> {
    const { session: held } = this.#of(req);
    held.record = record;
    await settled((done) => held.save(done));
    return { id: held.id, record };
  }

  /** Destroys the loaded session. */
  async end(req: Request): Promise<void> {
    const { view, session: held } = this.#of(req);
    this.#held.delete(req);
    await settled((done) => held.destroy(done));
    hide(view);
  }

  async #attach(req: Request, res: Response): Promise<Held> {
    const view = requestView(req, this.#kind);
    await new Promise<void>((resolve, reject) => {
      void this.#handler(view, responseView(res), (error?: unknown) => {
        if (error) reject(asError(error));
        else resolve();
      });
    });
    return this.#take(req, view);
  }

  /** Out of express-session's sight: what becomes of it is decided here. */
  #take(req: Request, view: Request): Held {
    const held: Held = { view, session: view.session };
    hide(view);
    this.#held.set(req, held);
    return held;
  }

  #of(req: Request): Held {
    const held = this.#held.get(req);
    if (held === undefined) throw new TypeError("the session of this request was not loaded");
    return held;
  }
}

function hide(view: Request): void {
  Object.defineProperty(view, "session", { value: undefined, writable: true, configurable: true });
}

/**
 * The request with fields of its own for express-session: two kinds of session, and a host's own
 * express-session, live side by side on one request.
 */
function requestView(req: Request, kind: SessionKind): Request {
  const cookie = sessionCookie(req.headers.cookie, kind);
  const headers = cookie === null ? {} : { cookie: `${COOKIE_NAMES[kind]}=${asSigned(cookie)}` };
  const own = (value: unknown): PropertyDescriptor => ({
    value,
    writable: true,
    configurable: true,
  });
  const view: Request = Object.create(req, {
    headers: own(headers),
    session: own(undefined),
    sessionID: own(undefined),
    sessionStore: own(undefined),
    signedCookies: own(undefined),
    cookies: own(undefined),
  });
  return view;
}

/** The response with methods of its own to wrap: what express-session hooks in never runs. */
function responseView(res: Response): Response {
  const own = (value: unknown): PropertyDescriptor => ({ value, writable: true });
  const view: Response = Object.create(res, { writeHead: own(res.writeHead), end: own(res.end) });
  return view;
}

/** Our cookie value, id and signature joined, in the form that express-session reads. */
function asSigned(cookie: string): string {
  const signature = cookie.slice(43).replaceAll("-", "+").replaceAll("_", "/");
  return `s:${cookie.slice(0, 43)}.${signature}`;
}

/** express-session's store over the records. */
class RecordStore extends session.Store {
  readonly #kind: SessionKind;
  readonly #records: SessionRecords;

  constructor(kind: SessionKind, records: SessionRecords) {
    super();
    this.#kind = kind;
    this.#records = records;
  }

  get(id: string, callback: (error: unknown, data?: session.SessionData | null) => void): void {
    this.#records.get(this.#kind, id).then(
      (record) => callback(null, record && { cookie: { originalMaxAge: null }, record }),
      (error: unknown) => callback(error),
    );
  }

  set(id: string, data: session.SessionData, callback: (error?: unknown) => void = ignore): void {
    this.#records.set(id, data.record).then(() => callback(), callback);
  }

  destroy(id: string, callback: (error?: unknown) => void = ignore): void {
    this.#records.destroy(this.#kind, id).then(() => callback(), callback);
  }
}

function ignore(): void {
  // express-session passes no callback when it does not care.
}

function settled(work: (done: (error?: unknown) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    work((error) => (error ? reject(asError(error)) : resolve()));
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
