/** Nodes that reach each other through PostgreSQL; every moment is one of its clock. */
import { SiteError, type Logger } from "#kernel";
import { sha256 } from "#lib/secrets";
import { SharedDatabase, createPostgresPool } from "#lib/databases";
import { clusterDown } from "../errors.js";
import {
  claimInSlices,
  MAX_LAG,
  MAX_MESSAGES,
  messageSchema,
  NODE_TTL_MS,
  nodeSchema,
  type Following,
  type Message,
  type NodeRecord,
  type Transport,
  type Version,
  keepReading,
  type ReaderPosition,
} from "../transport.js";
import { clusterSchema } from "./postgres-tables.js";

/** Time limit of a query and of connecting, in ms. */
const LIMIT_MS = 1_500;

/** The tables all begin with `site_cluster_`; a database belongs to one site. */
export class PostgresTransport implements Transport {
  readonly store = "PostgreSQL";
  readonly #url: string;
  readonly #log: Logger;
  readonly #database: SharedDatabase;

  /** `site`: what identifies the site, the same on all its nodes. */
  constructor(url: string, site: string, log: Logger) {
    this.#url = url;
    this.#log = log;
    this.#database = new SharedDatabase({
      url,
      site,
      onLost: ({ message }) => log.debug("postgres.connection_lost", { error: message }),
      schema: clusterSchema,
      limitMs: LIMIT_MS,
      toError: clusterDown,
      // Heartbeats report an outage.
      onChange: () => undefined,
    });
  }

  async open(): Promise<void> {
    try {
      await this.#database.open();
    } catch (error) {
      // The node starts without the others.
      const isAway = error instanceof SiteError && error.code === "ERR_POSTGRES_UNREACHABLE";
      if (!isAway) throw error;
    }
  }

  async beat(node: NodeRecord, token: string) {
    const { id, name } = node;
    const sql = "select taken, leader from site_cluster_beat($1, $2, $3, $4, $5)";
    const values = [id, name, JSON.stringify(node), NODE_TTL_MS, token];
    const [row] = await this.#query<{ taken: unknown; leader: string | null }>(sql, values);
    return { taken: parseNode(row?.taken), leader: row?.leader ?? "" };
  }

  async leave({ id, name }: NodeRecord): Promise<void> {
    await this.#query("select site_cluster_leave($1, $2)", [id, name]);
  }

  async nodes() {
    const sql = `select
      (select coalesce(json_agg(record order by name collate "C"), '[]') from site_cluster_nodes
        where until > clock_timestamp()) as nodes,
      (select token from site_cluster_leases
        where name = 'leader' and until > clock_timestamp()) as leader`;
    const [row] = await this.#query<{ nodes: unknown[]; leader: string | null }>(sql, []);
    const nodes = (row?.nodes ?? []).flatMap((node) => parseNode(node) ?? []);
    return { nodes, leader: row?.leader ?? "" };
  }

  async lock(token: string, ttlMs: number): Promise<boolean> {
    const id = token.slice(0, token.lastIndexOf("#"));
    const sql = "select site_cluster_lock($1, $2, $3) as is_locked";
    const [row] = await this.#query<{ is_locked: boolean }>(sql, [token, ttlMs, id]);
    return row?.is_locked === true;
  }

  async renew(token: string, ttlMs: number): Promise<boolean> {
    const sql = `update site_cluster_leases set until = clock_timestamp() + $2 * interval '1 ms'
      where name = 'lock' and token = $1 and until > clock_timestamp() returning name`;
    return (await this.#query(sql, [token, ttlMs])).length === 1;
  }

  async unlock(token: string): Promise<void> {
    await this.#query("delete from site_cluster_leases where name = 'lock' and token = $1", [
      token,
    ]);
  }

  async claim({ id, name }: NodeRecord, versions: readonly Version[]) {
    return claimInSlices(versions, async (some) => {
      const sql = "select site_cluster_claim($1, $2, $3, $4, $5) as nodes";
      const values = [id, name, ...listsOf(some)];
      const [row] = await this.#query<{ nodes: string[] | null }>(sql, values);
      return row?.nodes ?? null;
    });
  }

  async send(message: Message, versions: readonly Version[]): Promise<string> {
    const sql = "select site_cluster_send($1, $2, $3, $4, $5, $6) as cursor";
    const { open = "" } = message;
    const values = [JSON.stringify(message), open, ...listsOf(versions), MAX_MESSAGES];
    return (await this.#query<{ cursor: string }>(sql, values))[0]?.cursor ?? "";
  }

  async finish(open: string): Promise<void> {
    await this.#query("delete from site_cluster_open where name = $1", [open]);
  }

  async orphans(): Promise<readonly Message[]> {
    const sql = `select message from site_cluster_open as o where not exists (
      select from site_cluster_nodes as n
      where n.name = o.node and n.id = o.node_id and n.until > clock_timestamp()
    )`;
    const rows = await this.#query<{ message: unknown }>(sql, []);
    return rows.flatMap(({ message }) => messageSchema.safeParse(message).data ?? []);
  }

  async lag(cursor: string): Promise<number> {
    const sql =
      "select count(*) as lag from (select from site_cluster_messages where id > $1 limit $2) as behind";
    return (await this.#query<{ lag: number }>(sql, [parseNumber(cursor), MAX_LAG]))[0]?.lag ?? 0;
  }

  follow(options: Following): Promise<void> {
    return keepReading(options, this.#log, (at) =>
      readConnected(this.#url, this.#log, options.signal, at),
    );
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #query<R extends object>(sql: string, values: unknown[]): Promise<R[]> {
    const { rows } = await this.#database.run((db) => db.query<R>(sql, values));
    return rows;
  }
}

function listsOf(versions: readonly Version[]): [string[], string[], string[]] {
  const keys = versions.map(({ key }) => sha256(key));
  return [keys, versions.map(({ state }) => state), versions.map(({ exact }) => exact)];
}

function parseNode(record: unknown): NodeRecord | null {
  return nodeSchema.safeParse(record).data ?? null;
}

/** Without a notification the table is read this often, in ms; also notices a lost connection. */
const POLL_MS = 1_000;
const COUNT = 100;

/** Reads messages on a connection of its own, which listens for notifications, until it is lost. */
async function readConnected(
  url: string,
  log: Logger,
  signal: AbortSignal,
  at: ReaderPosition,
): Promise<void> {
  const onError = (error: Error): void =>
    log.debug("cluster.postgres_error", { error: error.message });
  const pool = await createPostgresPool({
    url,
    connections: 1,
    onError,
    connectMs: LIMIT_MS,
    statementMs: LIMIT_MS,
  });
  try {
    const client = await pool.connect();
    const bell = new Bell(signal);
    client.on("notification", () => bell.ring());
    client.on("end", () => bell.ring());
    try {
      await client.query("listen site_cluster");
      await readWith(client, at, bell);
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** The one method of the driver that is used here. */
interface Client {
  query<R extends object>(sql: string, values?: unknown[]): Promise<{ rows: R[] }>;
}

async function readWith(client: Client, at: ReaderPosition, bell: Bell): Promise<void> {
  if (!(await isStored(client, at.cursor))) await at.skipTo(await newest(client));
  while (!bell.isAborted) {
    bell.reset();
    const sql =
      "select id || '-' || stamp as cursor, message::text as message from site_cluster_messages where id > $1 order by id limit $2";
    const { rows } = await client.query<{ cursor: string; message: string }>(sql, [
      parseNumber(at.cursor),
      COUNT,
    ]);
    for (const { cursor, message } of rows) {
      if (bell.isAborted) return;
      await at.take(message, cursor);
    }
    if (rows.length === 0) await bell.rung(POLL_MS);
  }
}

/** False when messages after the cursor may have been deleted, or the table is another one. */
async function isStored(client: Client, cursor: string): Promise<boolean> {
  const sql = "select from site_cluster_messages where id = $1 and stamp = $2";
  const stamp = Number(cursor.split("-")[1] ?? 0);
  return (await client.query(sql, [parseNumber(cursor), stamp])).rows.length > 0;
}

async function newest(client: Client): Promise<string> {
  const sql =
    "select id || '-' || stamp as cursor from site_cluster_messages order by id desc limit 1";
  return (await client.query<{ cursor: string }>(sql)).rows[0]?.cursor ?? "0-0";
}

/** The number of a message in its cursor; 0 for none. */
function parseNumber(cursor: string): number {
  return Number(cursor.split("-")[0] ?? 0);
}

/** Ends a wait early. */
class Bell {
  #isRung = false;
  #wake: (() => void) | null = null;

  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.ring(), { once: true });
  }

  /** True once the site closes: nothing is read any more. */
  get isAborted(): boolean {
    return this.#signal.aborted;
  }

  reset(): void {
    this.#isRung = false;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves when it rings, or after `ms`. */
  async rung(ms: number): Promise<void> {
    if (this.#isRung) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
