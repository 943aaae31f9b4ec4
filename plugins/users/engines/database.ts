import { setTimeout as delay } from "node:timers/promises";
import type { Dialect, Kysely } from "kysely";
import { CircuitBreaker, type Logger, SiteError } from "#kernel";
import {
  createPostgresPool,
  describePostgresError,
  errorCode,
  isPostgresAway,
  migrateDatabase,
  sqliteOpener,
} from "#kernel/internal";
import { userSchema } from "./database-migrations.js";
import type { Tables } from "./database-tables.js";
import { cacheStatements } from "./prepared-statements.js";

/** How long SQLite waits for another process, in ms; this blocks the whole process. */
const BUSY_MS = 20;
/**
 * Attempts while another process writes, and the pause between them, which lets other requests run.
 */
const BUSY_TRIES = 40;
const BUSY_PAUSE_MS = 20;
const CONNECTIONS = 10;
/** While the database is down, only one call per interval tries it, in ms. */
const PAUSE_MS = 500;

/** An error thrown by a caller's change: ends the transaction, but is not a database failure. */
class ChangeFailure extends Error {}

/** Applies `change`; `UserDatabase.run` rethrows its errors unwrapped. */
export function applyChange<T>(change: (before: T) => T, before: T): T {
  try {
    return change(before);
  } catch (cause) {
    throw new ChangeFailure("a change failed", { cause });
  }
}

/** Location of the database. */
export interface DatabaseOptions {
  /** Absolute path of an SQLite file. */
  path: string | undefined;
  /** `postgres://…`; takes precedence over `path`. */
  url: string | undefined;
  log: Logger;
}

/** One database for accounts and tuples; opened and migrated on first use. */
export class UserDatabase {
  readonly #options: DatabaseOptions;
  #opening: Promise<Kysely<Tables>> | null = null;
  readonly #breaker = new CircuitBreaker({
    failures: 1,
    pauseMs: PAUSE_MS,
    now: () => performance.now(),
  });

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /**
   * @throws ERR_USER_STORE_DOWN (503) when the database does not respond, and what a change throws.
   */
  async run<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    if (this.#breaker.isOpen) throw storeDown();
    try {
      const result = await this.#patiently(work);
      this.#breaker.succeeded();
      return result;
    } catch (error) {
      if (error instanceof ChangeFailure) throw error.cause;
      if (error instanceof SiteError) throw error;
      if (isOutage(error)) this.#breaker.failed();
      throw storeDown(error);
    }
  }

  /**
   * Connects and migrates now. If the server is down, the next call tries again.
   * @throws ERR_USER_DB_OPEN, ERR_POSTGRES_DRIVER, ERR_DATABASE_NEWER.
   */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (cause) {
      if (cause instanceof SiteError) throw cause;
      if (this.#options.url !== undefined && isPostgresAway(cause)) {
        this.#options.log.error("users.db_away", {
          error: describePostgresError(cause),
          fix: "start the database; accounts work as soon as it accepts connections",
        });
        return;
      }
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SiteError("ERR_USER_DB_OPEN", `the account database cannot be opened: ${reason}`, {
        fix: "check SITE_DB_PATH or SITE_DB_URL; restore a corrupt file from a backup",
        cause,
      });
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    const db = await opening?.catch(() => null);
    await db?.destroy();
  }

  async #patiently<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    const db = await this.#open();
    for (let tried = 1; ; tried += 1) {
      try {
        return await work(db);
      } catch (error) {
        if (!errorCode(error).startsWith("SQLITE_BUSY") || tried === BUSY_TRIES) throw error;
        await delay(BUSY_PAUSE_MS);
      }
    }
  }

  #open(): Promise<Kysely<Tables>> {
    if (this.#opening === null) {
      this.#opening = this.#connect();
      this.#opening.catch(() => (this.#opening = null));
    }
    return this.#opening;
  }

  async #connect(): Promise<Kysely<Tables>> {
    const { Kysely: Database } = await import("kysely");
    const { path, url } = this.#options;
    const dialect =
      url === undefined ? await sqlite(path ?? ":memory:") : await this.#postgres(url);
    const db = new Database<Tables>({ dialect });
    try {
      await migrateDatabase(db, userSchema);
      return db;
    } catch (error) {
      await db.destroy();
      throw error;
    }
  }

  async #postgres(url: string): Promise<Dialect> {
    const { PostgresDialect } = await import("kysely");
    const onError = (error: Error): void =>
      this.#options.log.warn("users.db_connection", { error: error.message });
    const pool = await createPostgresPool({ url, connections: CONNECTIONS, onError });
    return new PostgresDialect({ pool });
  }
}

async function sqlite(path: string): Promise<Dialect> {
  const { SqliteDialect } = await import("kysely");
  const open = await sqliteOpener();
  const database = open(path, { busyMs: BUSY_MS });
  try {
    database.exec("pragma journal_mode = WAL");
    // Committed writes survive a power cut.
    database.exec("pragma synchronous = FULL");
    database.exec("pragma foreign_keys = ON");
  } catch (error) {
    database.close();
    throw error;
  }
  return new SqliteDialect({ database: cacheStatements(database) });
}

/** True for anything but an error reported by the database (SQL states and SQLite codes). */
function isOutage(error: unknown): boolean {
  const code = errorCode(error);
  return !code.startsWith("SQLITE_") && !/^(22|23|40|42)[0-9A-Z]{3}$/.test(code);
}

function storeDown(cause?: unknown): SiteError {
  return new SiteError("ERR_USER_STORE_DOWN", "the user store does not respond", {
    status: 503,
    headers: { "Retry-After": "5" },
    fix: "start the database; the site retries by itself",
    ...(cause === undefined ? {} : { cause }),
  });
}
