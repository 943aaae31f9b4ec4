import { rename } from "node:fs/promises";
import { errorCode } from "#lib/errors";
import { sqliteOpener, type SqliteFile, type SqliteStatement } from "#lib/files";
import type { SessionRecord, SessionStore } from "../contract.js";

/** Longest wait for another process, in ms; a waiting statement blocks the whole process. */
const BUSY_MS = 250;

/** Sessions in one table of an SQLite file, which is created on first use. */
export class KvSessionStore implements SessionStore {
  readonly #file: string;
  readonly #now: () => number;
  #opening: Promise<SqliteFile> | null = null;
  #found: SqliteStatement | null = null;

  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  async get(id: string): Promise<SessionRecord | null> {
    const db = await this.#open();
    // Prepared once: nearly every request runs it, and preparing costs more than running.
    this.#found ??= db.prepare("select record from sessions where id = ?");
    const row = this.#found.get([id]);
    if (typeof row !== "object" || row === null || !("record" in row)) return null;
    return parseRecord(String(row.record));
  }

  async set(id: string, record: SessionRecord): Promise<void> {
    const db = await this.#open();
    db.prepare(
      `insert into sessions (id, user_id, record, expires_at) values (?, ?, ?, ?)
       on conflict (id) do update set user_id = excluded.user_id, record = excluded.record,
         expires_at = excluded.expires_at`,
    ).run([id, record.userId, JSON.stringify(record), record.expiresAt]);
  }

  async destroy(id: string): Promise<void> {
    (await this.#open()).prepare("delete from sessions where id = ?").run([id]);
  }

  async destroyUser(userId: string): Promise<number> {
    const db = await this.#open();
    return Number(db.prepare("delete from sessions where user_id = ?").run([userId]).changes);
  }

  async claim(key: string, ttlSeconds: number): Promise<boolean> {
    const db = await this.#open();
    const now = this.#now();
    const done = db
      .prepare(
        `insert into claims (id, expires_at) values (?, ?)
         on conflict (id) do update set expires_at = excluded.expires_at where claims.expires_at <= ?`,
      )
      .run([key, now + ttlSeconds * 1000, now]);
    return Number(done.changes) === 1;
  }

  async sweep(now: number): Promise<number> {
    // A sweep must not create the file.
    if (this.#opening === null) return 0;
    const db = await this.#opening;
    db.prepare("delete from claims where expires_at <= ?").run([now]);
    const expired = db.prepare("delete from sessions where expires_at <= ?").run([now]);
    return Number(expired.changes);
  }

  /**
   * Does not create the file.
   * @throws ERR_SQLITE_MISSING.
   */
  async open(): Promise<void> {
    await sqliteOpener();
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    this.#found = null;
    (await opening)?.close();
  }

  #open(): Promise<SqliteFile> {
    if (this.#opening === null) {
      this.#opening = this.#connect();
      // The next call tries again.
      this.#opening.catch(() => (this.#opening = null));
    }
    return this.#opening;
  }

  async #connect(): Promise<SqliteFile> {
    const open = await sqliteOpener();
    try {
      return prepare(open(this.#file, { busyMs: BUSY_MS }));
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      // Losing sessions is better than a site that does not start.
      await rename(this.#file, `${this.#file}.corrupt-${this.#now()}`);
      return prepare(open(this.#file, { busyMs: BUSY_MS }));
    }
  }
}

function prepare(db: SqliteFile): SqliteFile {
  try {
    db.exec("pragma journal_mode = WAL");
    db.exec("pragma synchronous = NORMAL");
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
