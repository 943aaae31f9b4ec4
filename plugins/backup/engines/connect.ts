import type { PoolClient } from "pg";
import { createPostgresPool, describePostgresError, isPostgresUrl } from "#kernel/internal";
import { SiteError } from "#kernel";
import { backupError } from "../errors.js";

/** Time limit of one statement in ms. */
const STATEMENT_MS = 120_000;

/** True when SITE_DB_URL names a PostgreSQL server. */
export { isPostgresUrl };

/**
 * Runs work on one connection to PostgreSQL.
 * @throws ERR_BACKUP_DATABASE, ERR_POSTGRES_DRIVER.
 */
export async function withConnection<T>(
  url: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const pool = await createPostgresPool({
    url,
    connections: 1,
    statementMs: STATEMENT_MS,
    transactions: "long",
  });
  try {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      // Its transaction ends with it.
      client.release(true);
    }
  } catch (cause) {
    if (cause instanceof SiteError) throw cause;
    const message = `the database of SITE_DB_URL failed: ${describePostgresError(cause)}`;
    throw backupError("ERR_BACKUP_DATABASE", message, {
      fix: "correct SITE_DB_URL, or pass --no-database",
      cause,
    });
  } finally {
    await pool.end();
  }
}
