import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Dialect, Kysely } from "kysely";
import type { Pool } from "pg";
import { CircuitBreaker, type Logger, SiteError } from "#kernel";
import { errorCode, sqliteOpener } from "#kernel/internal";
import { migrate } from "./database-migrations.js";
import type { Tables } from "./database-tables.js";
import { cacheStatements } from "./prepared-statements.js";

/** How long SQLite waits for another process, in ms; this blocks the whole process. */
const BUSY_MS = 20;
/**
 * Attempts while another process writes, and the pause between them, which lets other requests run.
 */
const BUSY_TRIES = 40;
const BUSY_PAUSE_MS = 20;
/** PostgreSQL timeouts in ms: connecting, executing on the server, receiving the result. */
const CONNECT_MS = 3_000;
const STATEMENT_MS = 2_000;
const ANSWER_MS = 2_500;
const CONNECTIONS = 10;
/** While the database is down, only one call per interval tries it, in ms. */
const PAUSE_MS = 500;
const BIGINT = 20;

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
    ...{ failures: 1, pauseMs: PAUSE_MS },
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
   * @throws ERR_USER_DB_OPEN, ERR_USER_PACKAGE.
   */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (cause) {
      if (cause instanceof SiteError) throw cause;
      if (this.#options.url !== undefined && isAway(cause)) {
        this.#options.log.error("users.db_away", {
          error: describe(cause),
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
      await migrate(db);
      return db;
    } catch (error) {
      await db.destroy();
      throw error;
    }
  }

  async #postgres(url: string): Promise<Dialect> {
    const { PostgresDialect } = await import("kysely");
    const pool = await postgresPool(url);
    // Without a listener, a lost connection would end the process.
    const lost = (error: Error): void =>
      this.#options.log.warn("users.db_connection", { error: error.message });
    pool.on("error", lost);
    pool.on("connect", (client) => client.on("error", lost));
    return new PostgresDialect({ pool });
  }
}

async function sqlite(path: string): Promise<Dialect> {
  const { SqliteDialect } = await import("kysely");
  const open = await sqliteOpener();
  await mkdir(dirname(path), { recursive: true });
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

async function postgresPool(url: string): Promise<Pool> {
  const { default: pg } = await orInstall("pg", () => import("pg"));
  return new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    idle_in_transaction_session_timeout: ANSWER_MS,
    // Times are BIGINT, which the driver returns as text. Set per client, not for the whole
    // process.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === BIGINT ? Number : pg.types.getTypeParser(oid, format ?? "text"),
    },
  });
}

async function orInstall<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new SiteError("ERR_USER_PACKAGE", `the user store "db" needs the package ${name}`, {
      fix: `npm install ${name}`,
      cause,
    });
  }
}

/** True if the server was unreachable: a wrong password or name is not an outage. */
function isAway(error: unknown): boolean {
  // 57P03: starting up or shutting down; 53300: out of connections.
  return !/^[0-9A-Z]{5}$/.test(errorCode(error)) || /^(08|53|57P)/.test(errorCode(error));
}

/** The error of several failed addresses has no message of its own. */
function describe(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors : [error];
  return inner.map((one) => (one instanceof Error ? one.message : String(one))).join("; ");
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
