import { setTimeout as delay } from "node:timers/promises";
import type { Kysely, Migration } from "kysely";
import { HttpError, SiteError, errorCode } from "#lib/errors";
import {
  createPostgresPool,
  describePostgresError,
  inTransaction,
  isPostgresAway,
  isPostgresUrl,
  type PostgresPool,
  type Queries,
} from "./postgres-pool.js";
import { StoreGuard } from "#lib/stores";

/** Connections of one node. */
const CONNECTIONS = 8;
/** Default time limit of one piece of work in ms, that of its statements included. */
const LIMIT_MS = 3_000;

/** At startup: the longest wait for one connection or statement, for all attempts, and the pause between two, in ms. */
const STARTUP_TRY_MS = 10_000;
const STARTUP_MS = 60_000;
const STARTUP_PAUSE_MS = 500;
/** Of a server that is not there: waiting does not help. */
const ABSENT = /^(?:ECONNREFUSED|ENOTFOUND|EADDRNOTAVAIL|ENETUNREACH)$/;
/** A statement took longer than its limit. */
const STATEMENT_TIMEOUT = "57014";

/** How a startup waits for a server that is there and slow. */
export interface StartupPatience {
  /** Called after each attempt that took too long, with the reason. */
  onSlow(reason: string): void;
  /** Time limit of one connection or statement, in ms. Default 10,000. */
  readonly tryMs?: number;
  /** No further attempt begins after this time, in ms. Default 60,000. */
  readonly totalMs?: number;
}
const INSUFFICIENT_PRIVILEGE = "42501";

/** The first migration of every schema of a shared database. One row: which site it belongs to. */
export const SITE_OWNER_TABLE =
  "create table if not exists site_owner (id integer primary key, site text not null)";

/** The address of a database, and the site that uses it. */
export interface DatabaseAddress {
  /** `postgres://…`. */
  readonly url: string;
  /** The name of the site, which is the same on all its nodes. */
  readonly site: string;
}
/** The database of SITE_DB_URL, for the site of this name. @throws ERR_POSTGRES_URL. */
export function databaseAddress(url: string | undefined, site: string): DatabaseAddress {
  if (isPostgresUrl(url)) return { url, site };
  const what = url === undefined ? "not set" : "not a postgres:// URL";
  const message = `state is to be stored in PostgreSQL and SITE_DB_URL is ${what}`;
  const fix = "set SITE_DB_URL to postgres://user:password@host/database";
  throw new SiteError("ERR_POSTGRES_URL", message, { fix });
}

/** Dependencies of the database. */
export interface SharedDatabaseOptions extends DatabaseAddress {
  /** Gets the reason when an idle connection is lost; the next work opens another one. */
  onLost(error: Error): void;
  readonly schema: DatabaseSchema;
  /** Default 3,000. */
  readonly limitMs?: number;
  /** The 503 while the database is down. */
  toError(cause?: unknown): HttpError;
  /** Called when the database goes down, with the reason, and with null when it is back. */
  onChange(reason: string | null): void;
}

/** The database that nodes share; connected and migrated on first use. */
export class SharedDatabase {
  readonly #options: SharedDatabaseOptions;
  readonly #guard: StoreGuard;
  #opening: Promise<PostgresPool> | null = null;
  #isClosed = false;

  constructor(options: SharedDatabaseOptions) {
    this.#options = options;
    this.#guard = new StoreGuard({
      monotonic: () => performance.now(),
      limitMs: () => options.limitMs ?? LIMIT_MS,
      toError: (cause) => options.toError(cause),
      onChange: ({ isDown, error }) => {
        options.onChange(isDown ? describePostgresError(error) : null);
      },
    });
  }

  /** For reports: true from repeated failures until a success. Asks the server again while it is true. */
  isDown(): boolean {
    return this.#guard.isDown(async () => (await this.#open()).query("select 1"));
  }

  /** Runs queries. @throws what `toError` returns. */
  run<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#guard.run(async () => work(await this.#open()));
  }

  /** The rows of one query. @throws what `toError` returns. */
  async query<R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.run((db) => db.query<R>(sql, [...values]))).rows;
  }

  /** Runs queries in one transaction. @throws what `toError` returns. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#guard.run(async () => inTransaction(await this.#open(), work));
  }

  /**
   * Connects now, and closes what it opened when it fails. With `patience`, a server that is slow is tried again;
   * one that is not there is not.
   * @throws as `databaseStartupError`, ERR_POSTGRES_SITE, ERR_DATABASE_NEWER.
   */
  async open(patience: StartupPatience | null = null): Promise<void> {
    const { tryMs = STARTUP_TRY_MS, totalMs = STARTUP_MS } = patience ?? {};
    const until = performance.now() + totalMs;
    for (;;) {
      try {
        await this.#open(patience === null ? undefined : tryMs);
        return;
      } catch (error) {
        const isOver = this.#isClosed || performance.now() >= until;
        if (patience === null || isOver || !isSlow(error)) throw databaseStartupError(error);
        patience.onSlow(describePostgresError(error));
        await delay(STARTUP_PAUSE_MS);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const pool = await this.#opening?.catch(() => null);
    this.#opening = null;
    await pool?.end();
  }

  /** `tryMs`: the time limit of one connection or statement of the opening. */
  #open(tryMs?: number): Promise<PostgresPool> {
    if (this.#isClosed) return Promise.reject(new Error("the database is closed"));
    if (this.#opening === null) {
      this.#opening = this.#connect(tryMs);
      this.#opening.catch(() => (this.#opening = null));
    }
    return this.#opening;
  }

  async #connect(tryMs?: number): Promise<PostgresPool> {
    const { limitMs = LIMIT_MS } = this.#options;
    const limits = { connectMs: limitMs, statementMs: Math.round((limitMs * 2) / 3) };
    if (tryMs === undefined) {
      const pool = await this.#createPool(CONNECTIONS, limits);
      return this.#prepare(pool).catch(async (error: unknown) => {
        await pool.end();
        throw error;
      });
    }
    // The limits of a pool are those of its connections: requests must not wait as long as a startup.
    const patient = await this.#createPool(1, { connectMs: tryMs, statementMs: tryMs });
    try {
      await this.#prepare(patient);
    } finally {
      await patient.end();
    }
    return this.#createPool(CONNECTIONS, limits);
  }

  #createPool(
    connections: number,
    limits: { connectMs: number; statementMs: number },
  ): Promise<PostgresPool> {
    const { url } = this.#options;
    const onError = (error: Error): void => this.#options.onLost(error);
    return createPostgresPool({ url, connections, onError, ...limits });
  }

  /** Migrates the tables, and checks whose they are. */
  async #prepare(pool: PostgresPool): Promise<PostgresPool> {
    const { site, schema } = this.#options;
    const { Kysely, PostgresDialect } = await import("kysely");
    const dialect = new PostgresDialect({ pool });
    await migrateDatabase(new Kysely<unknown>({ dialect }), schema);
    await assertOwnSite(pool, site);
    return pool;
  }
}

/** The first site that connects owns the database. */
async function assertOwnSite(pool: PostgresPool, site: string): Promise<void> {
  await pool.query("insert into site_owner values (1, $1) on conflict (id) do nothing", [site]);
  const { rows } = await pool.query<{ site: string }>("select site from site_owner");
  const owner = rows[0]?.site ?? site;
  if (owner === site) return;
  const names = `the site ${JSON.stringify(owner)}, this one is ${JSON.stringify(site)}`;
  throw new SiteError("ERR_POSTGRES_SITE", `the database of SITE_DB_URL belongs to ${names}`, {
    fix: "give each site a database of its own; after a change of `url` or `title`, delete the row of table site_owner",
  });
}

/** True when the server is there, or may be, and took too long. */
function isSlow(error: unknown): boolean {
  if (error instanceof SiteError) return false;
  const code = errorCode(error);
  return code === STATEMENT_TIMEOUT || (isPostgresAway(error) && !ABSENT.test(code));
}

/** Why a site cannot start: ERR_POSTGRES_UNREACHABLE, ERR_POSTGRES_RIGHTS, ERR_POSTGRES_LOGIN, or the error itself. */
export function databaseStartupError(error: unknown): SiteError {
  if (error instanceof SiteError && !(error instanceof HttpError)) return error;
  const reason = describePostgresError(error);
  // The 503 of a guarded call has the error of the driver as its cause.
  const driver = error instanceof HttpError ? error.cause : error;
  if (errorCode(driver) === INSUFFICIENT_PRIVILEGE) {
    const denied = describePostgresError(driver);
    return new SiteError(
      "ERR_POSTGRES_RIGHTS",
      `the role of SITE_DB_URL lacks a right: ${denied}`,
      {
        fix: "run as an administrator of the database: grant create on database DATABASE to ROLE; grant create on schema public to ROLE",
        cause: error,
      },
    );
  }
  if (isPostgresAway(error)) {
    return new SiteError("ERR_POSTGRES_UNREACHABLE", `PostgreSQL is unreachable: ${reason}`, {
      fix: "start PostgreSQL, or correct host and port in SITE_DB_URL",
      cause: error,
    });
  }
  return new SiteError("ERR_POSTGRES_LOGIN", `PostgreSQL rejects SITE_DB_URL: ${reason}`, {
    fix: "correct user, password and database in SITE_DB_URL",
    cause: error,
  });
}

/** Attempts of a migration blocked by another process, and the pause between them in ms. */
const TRIES = 20;
const PAUSE_MS = 100;

/** The tables of one feature. */
export interface DatabaseSchema {
  /** Name of the table that lists what was applied; a second table adds `_lock`. */
  readonly table: string;
  /** Each is applied once, in the order of their names. Never change a released migration. */
  readonly migrations: Readonly<Record<string, Migration>>;
}

/**
 * Migrates tables to the latest version. PostgreSQL holds an advisory lock meanwhile. SQLite has no lock
 * across processes: the second process finds the work done and retries.
 * @throws ERR_DATABASE_NEWER when a newer version of Sitewright has migrated them further.
 */
export async function migrateDatabase<T>(
  db: Kysely<T>,
  { table, migrations }: DatabaseSchema,
): Promise<void> {
  const { Migrator: Runner } = await import("kysely");
  const migrator = new Runner({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  });
  for (let tried = 1; ; tried += 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    await assertNotNewer(db, { table, migrations });
    if (tried === TRIES || !isContention(error)) {
      throw error instanceof Error ? error : new Error(String(error));
    }
    await delay(PAUSE_MS);
  }
}

/** Explains a failed migration: the table lists one that this version does not have. */
async function assertNotNewer<T>(
  db: Kysely<T>,
  { table, migrations }: DatabaseSchema,
): Promise<void> {
  const { sql } = await import("kysely");
  const listed = sql<{ name: string }>`select name from ${sql.table(table)} order by name`;
  const rows = await listed.execute(db).then(
    ({ rows: result }) => result,
    () => [],
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => JSON.stringify(name)).join(", ");
  throw new SiteError("ERR_DATABASE_NEWER", `table "${table}" has the newer migrations ${names}`, {
    fix: "run the newer version of Sitewright on all nodes, or restore a backup of the database",
  });
}

function isContention(error: unknown): boolean {
  const code = errorCode(error);
  const isRace =
    error instanceof Error &&
    /already exists|duplicate column|UNIQUE constraint/i.test(error.message);
  // 23505: unique violation; 57014: the lock took longer than the time limit of a statement.
  return code.startsWith("SQLITE_BUSY") || isRace || code === "23505" || code === "57014";
}
