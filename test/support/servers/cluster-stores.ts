// The servers through which nodes of a cluster reach each other; each passes the same tests.
import pg from "pg";
import { silentLog } from "#kernel";
import { PostgresTransport } from "../../../plugins/cluster/engines/postgres.js";
import { openConnection, RedisTransport } from "../../../plugins/cluster/engines/redis.js";
import type { Transport } from "../../../plugins/cluster/transport.js";
import { usePostgres, useRedis } from "../services.js";

/** A server and what tests do to it. */
export interface ClusterStore {
  readonly name: string;
  /** Value of `cluster.transport`. */
  readonly setting: "redis" | "postgres";
  /** The address of an empty database. */
  use(context: Mocha.Context): Promise<{ url: string }>;
  transport(url: string): Transport;
  /** Announcements under way. */
  countOpen(url: string): Promise<number>;
  /** Deletes the stored messages and closes all connections. */
  loseMessages(url: string): Promise<void>;
}

const redis: ClusterStore = {
  name: "Redis",
  setting: "redis",
  use: useRedis,
  transport: (url) => new RedisTransport(url, "Test", silentLog),
  countOpen: async (url) => {
    const connection = openConnection(url, silentLog);
    const count = await (await connection.client()).hLen("site:cluster:open");
    await connection.close();
    return count;
  },
  loseMessages: async (url) => {
    const connection = openConnection(url, silentLog);
    const client = await connection.client();
    await client.del("site:cluster:changes");
    await client.sendCommand(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
    await connection.close();
  },
};

const postgres: ClusterStore = {
  name: "PostgreSQL",
  setting: "postgres",
  use: usePostgres,
  transport: (url) => new PostgresTransport(url, "Test", silentLog),
  countOpen: async (url) => {
    const [row] = await queryAt(url, "select count(*)::integer as count from site_cluster_open");
    return Number(row?.["count"]);
  },
  loseMessages: async (url) => {
    await queryAt(url, "delete from site_cluster_messages");
    await endConnections(url);
  },
};

/** Every server that the plugin `cluster` has a transport for. */
export const clusterStores: readonly ClusterStore[] = [redis, postgres];

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
