import session from "express-session";
import type { Request, RequestHandler, Response } from "express";
import type { SessionKind, SessionRecord } from "./contract.js";
import { COOKIE_NAMES, newSessionId, sessionCookie, verifiedId } from "./session-id.js";
import type { SessionRecords } from "./session-records.js";

declare module "express-session" {
  interface SessionData {
    record: SessionRecord;
  }
}

/** A request's session of one kind. */
export interface LoadedSession {
  /** The id in the cookie. */
  readonly id: string;
  readonly record: SessionRecord<SessionKind>;
}

/**
 * Sessions of one kind over HTTP. express-session starts them; requests are read without it,
 * because wrapping request and response costs more than the rest of a session.
 */
export class HttpSessions {
  readonly #kind: SessionKind;
  readonly #records: SessionRecords;
  readonly #secret: string;
  readonly #handler: RequestHandler;

  constructor(kind: SessionKind, records: SessionRecords, secret: string) {
    this.#kind = kind;
    this.#records = records;
    this.#secret = secret;
    this.#handler = session({
      name: COOKIE_NAMES[kind],
      secret,
      store: new RecordStore(records, {
        kind,
        read: (record) => ({ cookie: { originalMaxAge: null }, record }),
        write: (_id, { record }) => record,
      }),
      genid: newSessionId,
      resave: false,
      saveUninitialized: false,
    });
  }

  /** The session of the request's cookie; null without one. Rejects when the store fails. */
  async read(req: Request): Promise<LoadedSession | null> {
    const cookie = sessionCookie(req.headers.cookie, this.#kind);
    const id = cookie === null ? null : verifiedId(cookie, this.#secret);
    return id === null ? null : this.find(id);
  }

  /** The stored session of an id. Rejects when the store fails. */
  async find(id: string): Promise<LoadedSession | null> {
    const record = await this.#records.get(this.#kind, id);
    return record === null ? null : { id, record };
  }

  /** Saves the record under a new id. Rejects when the store fails. */
  async begin(
    req: Request,
    res: Response,
    record: SessionRecord<SessionKind>,
  ): Promise<LoadedSession> {
    const view = requestView(req);
    await settled((done) => this.#handler(view, responseView(res), done));
    const { session: fresh } = view;
    fresh.record = record;
    await settled((done) => fresh.save(done));
    return { id: fresh.id, record };
  }

  /** Saves the record under its id. */
  save({ id, record }: LoadedSession): Promise<void> {
    return this.#records.set(id, record);
  }

  /** Deletes the session. */
  end({ id }: LoadedSession): Promise<void> {
    return this.#records.destroy(this.#kind, id);
  }
}

/**
 * The request with its own fields for express-session, and without cookies: two kinds of session,
 * and a host's own express-session, coexist on one request.
 */
function requestView(req: Request): Request {
  const descriptor = (value: unknown): PropertyDescriptor => ({
    value,
    writable: true,
    configurable: true,
  });
  const view: Request = Object.create(req, {
    headers: descriptor({}),
    session: descriptor(undefined),
    sessionID: descriptor(undefined),
    sessionStore: descriptor(undefined),
    signedCookies: descriptor(undefined),
    cookies: descriptor(undefined),
  });
  return view;
}

/** The response with its own methods to wrap: the hooks of express-session never run. */
function responseView(res: Response): Response {
  const descriptor = (value: unknown): PropertyDescriptor => ({ value, writable: true });
  const view: Response = Object.create(res, {
    writeHead: descriptor(res.writeHead),
    end: descriptor(res.end),
  });
  return view;
}

/** Converts sessions of one kind between express-session and the records. */
export interface SessionFormat<K extends SessionRecord["kind"]> {
  readonly kind: K;
  /** The data of a stored session; null when its record has none. */
  read(record: SessionRecord<K>): session.SessionData | null;
  /** The record for the data of a session. */
  write(id: string, data: session.SessionData): SessionRecord;
}

/** An express-session store backed by the records of one kind. */
export class RecordStore<K extends SessionRecord["kind"]> extends session.Store {
  readonly #records: SessionRecords;
  readonly #format: SessionFormat<K>;

  constructor(records: SessionRecords, format: SessionFormat<K>) {
    super();
    this.#records = records;
    this.#format = format;
  }

  get(id: string, callback: (error: unknown, data?: session.SessionData | null) => void): void {
    this.#records.get(this.#format.kind, id).then(
      (record) => callback(null, record && this.#format.read(record)),
      (error: unknown) => callback(error),
    );
  }

  set(id: string, data: session.SessionData, callback: (error?: unknown) => void = ignore): void {
    this.#records.set(id, this.#format.write(id, data)).then(() => callback(), callback);
  }

  destroy(id: string, callback: (error?: unknown) => void = ignore): void {
    this.#records.destroy(this.#format.kind, id).then(() => callback(), callback);
  }
}

function ignore(): void {
  // express-session sometimes passes no callback.
}

function settled(work: (done: (error?: unknown) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    work((error) =>
      error ? reject(error instanceof Error ? error : new Error(String(error))) : resolve(),
    );
  });
}
