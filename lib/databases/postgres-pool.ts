import type { Client, Pool, PoolClient } from "pg";
import { errorCode } from "#lib/errors";
import { loadOptional } from "#lib/packages";

/** Default time limits in ms: to connect, and of a statement on the server. */
const CONNECT_MS = 3_000;
const STATEMENT_MS = 2_000;
/** The network may add this to the time limit of a statement, in ms. */
const TRANSFER_MS = 500;
const BIGINT = 20;

/** The connections of a server. */
export type PostgresPool = Pool;
/** The part of a client that runs queries. */
export type Queries = Pick<Pool | PoolClient, "query">;

/** Options of a pool. */
export interface PostgresPoolOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Time limit of a statement in ms. Default 2,000. */
  readonly statementMs?: number;
  /** Time limit to connect in ms. Default 3,000. */
  readonly connectMs?: number;
  /** `long`: a transaction may raise the time limit of its statements, and wait between them. Default `short`. */
  readonly transactions?: "short" | "long";
  /** Settings of the sessions, as `-c name=value -c name=value`. Default: those of the server. */
  readonly settings?: string;
  /** Gets the errors of connections that are lost; the pool replaces these. */
  onError?(error: Error): void;
}

/** True for an address of a PostgreSQL server. */
export function isPostgresUrl(url: string | undefined): url is string {
  return url !== undefined && /^postgres(ql)?:\/\/\S+$/.test(url);
}

/**
 * A pool that connects when it is first used; the caller ends it. 64-bit integers are numbers. Idle
 * connections do not keep the process alive.
 * @throws ERR_PACKAGE_MISSING when the package `pg` is not installed.
 */
export async function createPostgresPool(options: PostgresPoolOptions): Promise<Pool> {
  const { default: driver } = await loadDriver();
  const { url, connections, statementMs = STATEMENT_MS, connectMs = CONNECT_MS } = options;
  const pool = new driver.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    ...(options.transactions !== "long" && {
      query_timeout: statementMs + TRANSFER_MS,
      idle_in_transaction_session_timeout: statementMs + TRANSFER_MS,
    }),
    ...(options.settings !== undefined && { options: options.settings }),
    allowExitOnIdle: true,
    // Set per client, not for the whole process.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === BIGINT ? Number : driver.types.getTypeParser(oid, format ?? "text"),
    },
  });
  // Without a listener, a lost connection would end the process.
  const lost = (error: Error): void => options.onError?.(error);
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  return pool;
}

/** Runs queries in one transaction, on one connection. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
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
}

/** Options of one connection. */
export interface PostgresClientOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  /** Time limit of a statement, and of connecting, in ms. */
  readonly statementMs: number;
}

/**
 * One connection for what belongs to a session: locks and notifications. The caller connects and ends it, and
 * listens to its errors. @throws ERR_PACKAGE_MISSING when the package `pg` is not installed.
 */
export async function createPostgresClient(options: PostgresClientOptions): Promise<Client> {
  const { default: driver } = await loadDriver();
  const { url, statementMs } = options;
  return new driver.Client({
    connectionString: url,
    connectionTimeoutMillis: statementMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + TRANSFER_MS,
    keepAlive: true,
  });
}

/** True when the server was unreachable: a wrong password or name is not an outage. */
export function isPostgresAway(error: unknown): boolean {
  // 57P03: starting up or shutting down; 53300: out of connections.
  const code = errorCode(error);
  return !/^[0-9A-Z]{5}$/.test(code) || /^(08|53|57P)/.test(code);
}

/** The reason of a failure, without the address or the password. */
export function describePostgresError(error: unknown): string {
  // The error of several failed addresses has no message of its own.
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return inner.map((one) => (one instanceof Error ? one.message : String(one))).join("; ");
}

function loadDriver(): Promise<typeof import("pg")> {
  return loadOptional(() => import("pg"), {
    plugin: "postgres",
    packages: ["pg"],
    neededBy: "SITE_DB_URL",
  });
}
