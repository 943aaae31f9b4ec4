import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Database, Statement } from "better-sqlite3";
import { errorCode, SiteError } from "#kernel";
import type { SessionRecord, SessionStore } from "../contract.js";

/** Longest wait for another process, in ms: a waiting statement blocks the whole process. */
const BUSY_MS = 250;

/** Sessions in one table of an SQLite file, which is made with the first call. */
export class KvSessionStore implements SessionStore {
  readonly #file: string;
  readonly #now: () => number;
  #opening: Promise<Database> | null = null;
  #found: Statement<[string], { record: string }> | null = null;

  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  async get(id: string): Promise<SessionRecord | null> {
    const db = await this.#open();
    // Prepared once: nearly every request asks, and preparing costs more than asking.
    this.#found ??= db.prepare<[string], { record: string }>(
      "select record from sessions where id = ?",
    );
    const row = this.#found.get(id);
    return row === undefined ? null : parseRecord(row.record);
  }

  async set(id: string, record: SessionRecord): Promise<void> {
    const db = await this.#open();
    db.prepare(
      `insert into sessions (id, user_id, record, expires_at) values (?, ?, ?, ?)
       on conflict (id) do update set user_id = excluded.user_id, record = excluded.record,
         expires_at = excluded.expires_at`,
    ).run(id, record.userId, JSON.stringify(record), record.expiresAt);
  }

  async destroy(id: string): Promise<void> {
    (await this.#open()).prepare("delete from sessions where id = ?").run(id);
  }

  async destroyUser(userId: string): Promise<number> {
    const db = await this.#open();
    return db.prepare("delete from sessions where user_id = ?").run(userId).changes;
  }

  async claim(key: string, ttlSeconds: number): Promise<boolean> {
    const db = await this.#open();
    const now = this.#now();
    const done = db
      .prepare(
        `insert into claims (id, expires_at) values (?, ?)
         on conflict (id) do update set expires_at = excluded.expires_at where claims.expires_at <= ?`,
      )
      .run(key, now + ttlSeconds * 1000, now);
    return done.changes === 1;
  }

  async sweep(now: number): Promise<number> {
    // Before the first call there may be no file, and a sweep is no reason to make one.
    if (this.#opening === null) return 0;
    const db = await this.#opening;
    db.prepare("delete from claims where expires_at <= ?").run(now);
    return db.prepare("delete from sessions where expires_at <= ?").run(now).changes;
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    this.#found = null;
    (await opening)?.close();
  }

  #open(): Promise<Database> {
    if (this.#opening === null) {
      this.#opening = this.#connect();
      // The next call tries again.
      this.#opening.catch(() => (this.#opening = null));
    }
    return this.#opening;
  }

  async #connect(): Promise<Database> {
    const Sqlite = await loadSqlite();
    await mkdir(dirname(this.#file), { recursive: true });
    try {
      return prepare(new Sqlite(this.#file, { timeout: BUSY_MS }));
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      // Sessions can be made anew, a site that does not start cannot.
      await rename(this.#file, `${this.#file}.corrupt-${this.#now()}`);
      return prepare(new Sqlite(this.#file, { timeout: BUSY_MS }));
    }
  }
}

function prepare(db: Database): Database {
  try {
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.exec(
      `create table if not exists sessions (
         id text primary key, user_id text not null, record text not null, expires_at integer not null
       ) without rowid;
       create index if not exists sessions_by_user on sessions (user_id);
       create index if not exists sessions_by_expiry on sessions (expires_at);
       create table if not exists claims (id text primary key, expires_at integer not null) without rowid;`,
    );
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function isCorrupt(error: unknown): boolean {
  const code = errorCode(error);
  return code === "SQLITE_NOTADB" || code === "SQLITE_CORRUPT";
}

function parseRecord(text: string): SessionRecord | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function loadSqlite(): Promise<typeof import("better-sqlite3")> {
  try {
    return (await import("better-sqlite3")).default;
  } catch (cause) {
    throw new SiteError(
      "ERR_SESSION_PACKAGE",
      "the session store `kv` needs the package better-sqlite3",
      {
        fix: "npm install better-sqlite3",
        cause,
      },
    );
  }
}
