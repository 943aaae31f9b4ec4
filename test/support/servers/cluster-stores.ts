// PostgreSQL, through which the nodes of a cluster reach each other.
import pg from "pg";

/** Does what restoring an older backup does: later messages are missing, their numbers are used again. */
export async function restoreOlder(url: string): Promise<void> {
  await queryAt(url, "delete from site_messages");
  await queryAt(url, "alter table site_messages alter column id restart");
  await endConnections(url);
}

/** Closes all connections to a database of PostgreSQL. */
export async function endConnections(url: string): Promise<void> {
  await queryAt(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
}

/** Runs a statement on a connection of its own. */
export async function queryAt(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}
