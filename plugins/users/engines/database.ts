import { setTimeout as delay } from "node:timers/promises";
import type { Dialect, Kysely, SqliteDatabase } from "kysely";
import { CircuitBreaker, type Logger, SiteError } from "#kernel";
import {
  createPostgresPool,
  describePostgresError,
  isPostgresAway,
  migrateDatabase,
  type DatabaseSchema,
} from "#lib/databases";
import { errorCode } from "#lib/errors";
import { sqliteOpener } from "#lib/files";

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
   * @throws ERR_USER_DB_OPEN, ERR_PACKAGE_MISSING, ERR_DATABASE_NEWER.
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

/** Maximum number of cached statements; the stores use about 20 queries. */
const MAX_STATEMENTS = 64;

/**
 * Caches prepared statements: preparing costs more than running. The cache is limited because each
 * length of a value list is a statement of its own.
 */
export function cacheStatements(database: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    prepare(sql) {
      const cached = statements.get(sql);
      if (cached !== undefined) return cached;
      const statement = database.prepare(sql);
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

/** A row of `site_users`; lists are JSON texts, times Unix ms. */
export interface UserRow {
  id: string;
  email: string;
  username: string | null;
  username_key: string | null;
  name: string | null;
  avatar_url: string | null;
  password_hash: string | null;
  roles: string;
  provider: string;
  provider_id: string | null;
  linked_providers: string;
  created_at: number;
  updated_at: number;
  last_seen_at: number;
  payment_customer_id: string | null;
  enabled: number;
  version: number;
}
/** A row of `site_authz_users`; `ended_at` is Unix ms, `ended_by` a JSON list or null. */
export interface AuthzRow {
  user_id: string;
  fingerprint: string | null;
  version: number;
  ended_at: number | null;
  ended_by: string | null;
}
/** The tables for accounts and tuples. */
export interface Tables {
  site_users: UserRow;
  site_user_identities: { provider: string; provider_id: string; user_id: string };
  site_authz_users: AuthzRow;
  site_authz_tuples: { user_id: string; relation: string; object: string; hmac: string | null };
}

/** The tables for accounts and tuples. */
const userSchema: DatabaseSchema = {
  table: "site_migrations",
  migrations: {
    "001-users": { up: createUsers },
    "002-authz": { up: createAuthz },
    "003-authz-ended": { up: addEnded },
    "004-authz-reports": { up: addReports },
  },
};

async function createUsers(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("site_users")
    .addColumn("id", "varchar(128)", (column) => column.primaryKey())
    .addColumn("email", "varchar(320)", (column) => column.notNull().unique())
    .addColumn("username", "varchar(128)")
    .addColumn("username_key", "varchar(128)", (column) => column.unique())
    .addColumn("name", "text")
    .addColumn("avatar_url", "text")
    .addColumn("password_hash", "text")
    .addColumn("roles", "text", (column) => column.notNull())
    .addColumn("provider", "varchar(128)", (column) => column.notNull())
    .addColumn("provider_id", "text")
    .addColumn("linked_providers", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("last_seen_at", "bigint", (column) => column.notNull())
    .addColumn("payment_customer_id", "text")
    .addColumn("enabled", "integer", (column) => column.notNull())
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("site_users_by_age")
    .on("site_users")
    .columns(["created_at", "id"])
    .execute();
  await db.schema
    .createTable("site_user_identities")
    .addColumn("provider", "varchar(128)", (column) => column.notNull())
    .addColumn("provider_id", "varchar(512)", (column) => column.notNull())
    .addColumn("user_id", "varchar(128)", (column) =>
      column.notNull().references("site_users.id").onDelete("cascade"),
    )
    .addPrimaryKeyConstraint("site_user_identities_key", ["provider", "provider_id"])
    .execute();
  await db.schema
    .createIndex("site_user_identities_by_user")
    .on("site_user_identities")
    .column("user_id")
    .execute();
}

async function createAuthz(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("site_authz_users")
    .addColumn("user_id", "varchar(512)", (column) => column.primaryKey())
    .addColumn("fingerprint", "text")
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("site_authz_tuples")
    .addColumn("user_id", "varchar(512)", (column) => column.notNull())
    .addColumn("relation", "varchar(128)", (column) => column.notNull())
    .addColumn("object", "varchar(512)", (column) => column.notNull())
    .addColumn("hmac", "text")
    .addPrimaryKeyConstraint("site_authz_tuples_key", ["user_id", "relation", "object"])
    .execute();
}

async function addEnded(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("site_authz_users").addColumn("ended_at", "bigint").execute();
}

async function addReports(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("site_authz_users").addColumn("ended_by", "text").execute();
}
