/** Nodes that reach each other through PostgreSQL: locks of sessions, a table of messages, `LISTEN` and `NOTIFY`. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { KeyedLock, SiteError, type Logger } from "#kernel";
import {
  createPostgresPool,
  type DatabaseSchema,
  SessionLocks,
  SharedDatabase,
  SITE_OWNER_TABLE,
} from "#lib/databases";
import { clusterDown } from "../errors.js";
import {
  type Following,
  LEADER,
  type Locks,
  MAX_LAG,
  MAX_MESSAGES,
  type Message,
  messageSchema,
  nodeLock,
  type NodeRecord,
  type Notice,
  noticeSchema,
  type RunningNode,
  runningNodeSchema,
  type Transport,
} from "../transport.js";

/** Time limit of a query and of connecting, in ms. */
const LIMIT_MS = 1_500;
/** Messages that are stored beyond `MAX_MESSAGES` before they are deleted. */
const PRUNE_EVERY = 100;

/** `stamp`: random; with the number it identifies a message, also in a restored database. */
const TABLES = [
  SITE_OWNER_TABLE,
  "create table site_nodes (name text primary key, record json not null)",
  `create table site_messages (
    id bigint generated always as identity primary key,
    stamp text not null,
    message json not null,
    notice json
  )`,
];

const clusterSchema: DatabaseSchema = {
  table: "site_nodes_migrations",
  migrations: {
    "001-nodes": {
      async up(db) {
        const { sql } = await import("kysely");
        for (const table of TABLES) await sql.raw(table).execute(db);
      },
    },
  },
};

/** The sessions that hold a lock of this database, as `(pid, key)`. */
const HELD = `select pid, (classid::bigint << 32) | objid::bigint as key from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`;

const NODES = `with held as (${HELD})
  select node.record, exists (
    select from held where held.pid = own.pid and held.key = ${SessionLocks.key("$1")}
  ) as leads
  from site_nodes node join held own on own.key = ${SessionLocks.key("$2 || node.name")}
  order by node.name collate "C"`;

const REMOVE_ENDED = `with held as (${HELD}) delete from site_nodes node
  where not exists (select from held where held.key = ${SessionLocks.key("$1 || node.name")})`;

/** One sender at a time, so that messages become visible in the order of their numbers. */
const SEND = `with turn as materialized (select pg_advisory_xact_lock(${SessionLocks.key("'messages'")}))
  insert into site_messages (stamp, message, notice) select $1, $2, $3 from turn
  returning id, pg_notify('site_messages', '')`;

/** All notices that are stored when the last one that was read is not. */
const NOTICES = `select id, stamp, notice from site_messages
  where notice is not null
    and id > (select coalesce(max(id), 0) from site_messages where id = $1 and stamp = $2)
  order by id`;

/** The tables all begin with `site_`; a database belongs to one site. */
export class PostgresTransport implements Transport {
  readonly store = "PostgreSQL";
  readonly locks: Locks;
  readonly #url: string;
  readonly #log: Logger;
  readonly #database: SharedDatabase;
  readonly #sessions: SessionLocks;
  readonly #turns = new KeyedLock();
  /** The last notice that was read. */
  #noticed = { id: 0, stamp: "" };

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
    this.#sessions = new SessionLocks({
      url,
      toError: clusterDown,
      onLost: (names, cause) =>
        log.warn("cluster.locks_lost", { locks: names, error: String(cause) }),
    });
    this.locks = this.#sessions;
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

  async show(node: NodeRecord): Promise<void> {
    const sql =
      "insert into site_nodes values ($1, $2) on conflict (name) do update set record = excluded.record";
    await this.#query(sql, [node.name, JSON.stringify(node)]);
    if (this.locks.holds(LEADER)) await this.#query(REMOVE_ENDED, [nodeLock("")]);
  }

  async nodes(): Promise<readonly RunningNode[]> {
    const values = [LEADER, nodeLock("")];
    const rows = await this.#query<{ record: object; leads: boolean }>(NODES, values);
    return rows.flatMap(
      ({ record, leads }) => runningNodeSchema.safeParse({ ...record, isLeader: leads }).data ?? [],
    );
  }

  send(message: Message, notice?: Pick<Notice, "begun" | "done">): Promise<string> {
    return this.#turns.run("send", async () => {
      const { id, node } = message;
      const stamp = randomBytes(6).toString("hex");
      const noticed = notice === undefined ? null : JSON.stringify({ id, node, ...notice });
      const [row] = await this.#query<{ id: number }>(SEND, [
        stamp,
        JSON.stringify(message),
        noticed,
      ]);
      const sent = row?.id ?? 0;
      if (sent % PRUNE_EVERY === 0) {
        await this.#query("delete from site_messages where id <= $1", [sent - MAX_MESSAGES]);
      }
      return `${sent}-${stamp}`;
    });
  }

  readNotices(take: (notice: Notice) => void): Promise<void> {
    return this.#turns.run("notices", async () => {
      const { id, stamp } = this.#noticed;
      const rows = await this.#query<{ id: number; stamp: string; notice: unknown }>(NOTICES, [
        id,
        stamp,
      ]);
      for (const row of rows) {
        const notice = noticeSchema.safeParse(row.notice).data;
        if (notice !== undefined) take(notice);
        this.#noticed = row;
      }
    });
  }

  async lag(cursor: string): Promise<number> {
    const sql =
      "select count(*) as lag from (select from site_messages where id > $1 limit $2) as behind";
    return (await this.#query<{ lag: number }>(sql, [parseNumber(cursor), MAX_LAG]))[0]?.lag ?? 0;
  }

  async follow(following: Following): Promise<void> {
    const { signal } = following;
    const place: ReaderPlace = { ...following, cursor: following.cursor };
    while (!signal.aborted) {
      try {
        await readConnected(this.#url, this.#log, place);
      } catch (error) {
        if (!signal.aborted) this.#log.debug("cluster.read_failed", { error: String(error) });
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    await this.#database.close();
  }

  async #query<R extends object>(sql: string, values: unknown[]): Promise<R[]> {
    const { rows } = await this.#database.run((db) => db.query<R>(sql, values));
    return rows;
  }
}

/** Pause before the next connection of a reader, in ms. */
const PAUSE_MS = 200;
/** Without a notification the table is read this often, in ms; also notices a lost connection. */
const POLL_MS = 1_000;
const COUNT = 100;

/** The one method of the driver that is used here. */
interface Client {
  query<R extends object>(sql: string, values?: unknown[]): Promise<{ rows: R[] }>;
}

/** Where a reader is. */
interface ReaderPlace extends Following {
  cursor: string;
}

/** Reads messages on a connection of its own, which listens for notifications, until it is lost. */
async function readConnected(url: string, log: Logger, place: ReaderPlace): Promise<void> {
  const pool = await createPostgresPool({
    url,
    connections: 1,
    onError: ({ message }) => log.debug("cluster.postgres_error", { error: message }),
    connectMs: LIMIT_MS,
    statementMs: LIMIT_MS,
  });
  try {
    const client = await pool.connect();
    const bell = new Bell(place.signal);
    client.on("notification", () => bell.ring());
    client.on("end", () => bell.ring());
    try {
      await client.query("listen site_messages");
      await readWith(client, log, place, bell);
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function readWith(
  client: Client,
  log: Logger,
  place: ReaderPlace,
  bell: Bell,
): Promise<void> {
  if (!(await isStored(client, place.cursor))) await skipTo(place, await newest(client));
  while (!place.signal.aborted) {
    bell.reset();
    const { rows } = await client.query<{ cursor: string; message: unknown }>(
      "select id || '-' || stamp as cursor, message from site_messages where id > $1 order by id limit $2",
      [parseNumber(place.cursor), COUNT],
    );
    for (const { cursor, message } of rows) {
      if (place.signal.aborted) return;
      const { data } = messageSchema.safeParse(message);
      if (data === undefined) {
        // Another version of Sitewright has sent it: what it says is unknown.
        log.warn("cluster.message_invalid", { id: cursor });
        await skipTo(place, cursor);
      } else {
        await place.take(data, cursor);
        place.cursor = cursor;
      }
    }
    if (rows.length === 0) await bell.rung(POLL_MS);
  }
}

/** Continues from a cursor, because messages before it may have been missed. */
async function skipTo(place: ReaderPlace, cursor: string): Promise<void> {
  await place.lost(cursor);
  place.cursor = cursor;
}

/** False when messages after the cursor may have been deleted, or the table is another one. */
async function isStored(client: Client, cursor: string): Promise<boolean> {
  const sql = "select from site_messages where id = $1 and stamp = $2";
  const stamp = cursor.slice(cursor.indexOf("-") + 1);
  return (await client.query(sql, [parseNumber(cursor), stamp])).rows.length > 0;
}

async function newest(client: Client): Promise<string> {
  const sql = "select id || '-' || stamp as cursor from site_messages order by id desc limit 1";
  return (await client.query<{ cursor: string }>(sql)).rows[0]?.cursor ?? "0-";
}

/** The number of a message in its cursor; 0 for none. */
function parseNumber(cursor: string): number {
  return Number(cursor.split("-")[0] ?? 0);
}

/** Ends a wait early: at a notification, and when the site closes. */
class Bell {
  #isRung = false;
  #wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    signal.addEventListener("abort", () => this.ring(), { once: true });
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
