import type { Pool, PoolClient } from "pg";
import { HttpError, SiteError, type Logger } from "#kernel";
import {
  createPostgresPool,
  describePostgresError,
  isPostgresAway,
  migrateDatabase,
  StoreGuard,
} from "#kernel/internal";
import { postgresDown } from "../errors.js";
import { sharedSchema } from "./tables.js";

/** Connections of one node. */
const CONNECTIONS = 8;
/** Time limit of one piece of work in ms, that of its statements included. */
const LIMIT_MS = 3_000;

/** What a query needs. */
export type Queries = Pick<Pool | PoolClient, "query">;

/** Dependencies of the database. */
export interface DatabaseParts {
  /** `postgres://…`. */
  readonly url: string;
  /** What identifies the site: the same on all its nodes. */
  readonly site: string;
  readonly log: Logger;
}

/** The database that nodes share; connected and migrated on first use. */
export class SharedDatabase {
  readonly #parts: DatabaseParts;
  readonly #guard: StoreGuard;
  #opening: Promise<Pool> | null = null;
  #isClosed = false;

  constructor(parts: DatabaseParts) {
    this.#parts = parts;
    const { log } = parts;
    this.#guard = new StoreGuard({
      monotonic: () => performance.now(),
      limitMs: () => LIMIT_MS,
      toError: postgresDown,
      onChange: ({ isDown, error }) => {
        if (isDown) log.error("postgres.down", { error: describePostgresError(error) });
        else log.info("postgres.up");
      },
    });
  }

  /** True from repeated failures until a success. */
  get isDown(): boolean {
    return this.#guard.isDown;
  }

  /** Runs queries. @throws ERR_POSTGRES_DOWN (503). */
  run<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#guard.run(async () => work(await this.#open()));
  }

  /** Runs queries in one transaction. @throws ERR_POSTGRES_DOWN (503). */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#guard.run(async () => {
      const client = await (await this.#open()).connect();
      try {
        await client.query("begin");
        const result = await work(client);
        await client.query("commit");
        client.release();
        return result;
      } catch (error) {
        // A connection in an unknown state does not return to the pool.
        client.release(true);
        throw error;
      }
    });
  }

  /**
   * Connects now, and closes what it opened when it fails.
   * @throws ERR_POSTGRES_LOGIN, ERR_POSTGRES_UNREACHABLE, ERR_POSTGRES_SITE, ERR_DATABASE_NEWER.
   */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      throw startupError(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const pool = await this.#opening?.catch(() => null);
    this.#opening = null;
    await pool?.end();
  }

  #open(): Promise<Pool> {
    if (this.#isClosed) return Promise.reject(new Error("the database is closed"));
    if (this.#opening === null) {
      this.#opening = this.#connect();
      this.#opening.catch(() => (this.#opening = null));
    }
    return this.#opening;
  }

  async #connect(): Promise<Pool> {
    const { url, log, site } = this.#parts;
    const onError = (error: Error): void =>
      log.debug("postgres.connection_lost", { error: error.message });
    const pool = await createPostgresPool({ url, connections: CONNECTIONS, onError });
    try {
      const { Kysely, PostgresDialect } = await import("kysely");
      const dialect = new PostgresDialect({ pool });
      await migrateDatabase(new Kysely<unknown>({ dialect }), sharedSchema);
      await assertOwnSite(pool, site);
      return pool;
    } catch (error) {
      await pool.end();
      throw error;
    }
  }
}

/** The first site that connects owns the database. */
async function assertOwnSite(pool: Pool, site: string): Promise<void> {
  await pool.query("insert into site_owner values (1, $1) on conflict (id) do nothing", [site]);
  const { rows } = await pool.query<{ site: string }>("select site from site_owner");
  const owner = rows[0]?.site ?? site;
  if (owner === site) return;
  const names = `the site ${JSON.stringify(owner)}, this one is ${JSON.stringify(site)}`;
  throw new SiteError("ERR_POSTGRES_SITE", `the database of SITE_DB_URL belongs to ${names}`, {
    fix: "give each site a database of its own; after a change of `url` or `title`, delete the row of table site_owner",
  });
}

function startupError(error: unknown): SiteError {
  if (error instanceof SiteError && !(error instanceof HttpError)) return error;
  const reason = describePostgresError(error);
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
