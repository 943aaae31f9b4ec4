/** Nodes that reach each other through PostgreSQL: locks of sessions, a table of messages, `LISTEN` and `NOTIFY`. */
import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { KeyedLock, SiteError, type Logger } from "#kernel";
import {
  type DatabaseSchema,
  Notifications,
  SessionLocks,
  SharedDatabase,
  SITE_OWNER_TABLE,
} from "#lib/databases";
import { clusterDown, olderNode } from "../errors.js";
import {
  type Announced,
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
/** Messages of one query. */
const COUNT = 100;
/** Without a notification the table is read this often, in ms. */
const POLL_MS = 1_000;
/** The channel of notifications of messages. */
const MESSAGES = "site_messages";
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

/** An older node does not start where its migrations have one that it does not know. */
const CLOSE_OLDER = [
  `create table if not exists site_cluster_migrations (
    name varchar(255) not null primary key,
    timestamp varchar(255) not null
  )`,
  "insert into site_cluster_migrations values ('900-session-locks', now()) on conflict do nothing",
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
  ) as leads, (
    select count(*) from (
      select from site_messages
      where id > coalesce(substring(node.record->>'cursor' from '^[0-9]+'), '0')::bigint limit $3
    ) as behind
  ) as lag
  from site_nodes node join held own on own.key = ${SessionLocks.key("$2 || node.name")}
  order by node.name collate "C"`;

const REMOVE_ENDED = `with held as (${HELD}) delete from site_nodes node
  where not exists (select from held where held.key = ${SessionLocks.key("$1 || node.name")})`;

/** One sender at a time, so that messages become visible in the order of their numbers. */
const SEND = `with turn as materialized (select pg_advisory_xact_lock(${SessionLocks.key("'messages'")}))
  insert into site_messages (stamp, message, notice) select $1, $2, $3 from turn
  returning id, pg_notify('${MESSAGES}', '')`;

const CURSOR = "id || '-' || stamp as cursor";
/** The message of the cursor, and those after it. */
const FROM = `select ${CURSOR}, message from site_messages where id >= $1 order by id limit $2`;
/** The cursor of a table without messages. */
const EMPTY = "0-";

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
      await this.#excludeOlder();
    } catch (error) {
      // The node starts without the others.
      const isAway = error instanceof SiteError && error.code === "ERR_POSTGRES_UNREACHABLE";
      if (!isAway) throw error;
    }
  }

  /**
   * Nodes of versions before the session locks have tables and locks of their own, so two of them could write and lead.
   * @throws ERR_CLUSTER_OLDER_NODE while one runs.
   */
  async #excludeOlder(): Promise<void> {
    const [table] = await this.#database.query<{ found: string | null }>(
      "select to_regclass('site_cluster_nodes') as found",
      [],
    );
    const [older] =
      (table?.found ?? null) === null
        ? []
        : await this.#database.query<{ name: string }>(
            "select name from site_cluster_nodes where until > clock_timestamp()",
            [],
          );
    if (older !== undefined) throw olderNode(older.name);
    for (const sql of CLOSE_OLDER) await this.#database.query(sql, []);
  }

  async show(node: NodeRecord): Promise<void> {
    const sql =
      "insert into site_nodes values ($1, $2) on conflict (name) do update set record = excluded.record";
    await this.#database.query(sql, [node.name, JSON.stringify(node)]);
    if (this.locks.holds(LEADER)) await this.#database.query(REMOVE_ENDED, [nodeLock("")]);
  }

  async nodes(): Promise<readonly RunningNode[]> {
    const values = [LEADER, nodeLock(""), MAX_LAG];
    const rows = await this.#database.query<{ record: object; leads: boolean; lag: number }>(
      NODES,
      values,
    );
    return rows.flatMap(
      ({ record, leads, lag }) =>
        runningNodeSchema.safeParse({ ...record, isLeader: leads, lag }).data ?? [],
    );
  }

  send(message: Message, notice?: Announced): Promise<string> {
    return this.#turns.run("send", async () => {
      const { id, node } = message;
      const stamp = randomBytes(6).toString("hex");
      const noticed = notice === undefined ? null : JSON.stringify({ id, node, ...notice });
      const [row] = await this.#database.query<{ id: number }>(SEND, [
        stamp,
        JSON.stringify(message),
        noticed,
      ]);
      const sent = row?.id ?? 0;
      if (sent % PRUNE_EVERY === 0) {
        await this.#database.query("delete from site_messages where id <= $1", [
          sent - MAX_MESSAGES,
        ]);
      }
      return `${sent}-${stamp}`;
    });
  }

  readNotices(take: (notice: Notice) => void): Promise<void> {
    return this.#turns.run("notices", async () => {
      const { id, stamp } = this.#noticed;
      const rows = await this.#database.query<{ id: number; stamp: string; notice: unknown }>(
        NOTICES,
        [id, stamp],
      );
      for (const row of rows) {
        const notice = noticeSchema.safeParse(row.notice).data;
        if (notice !== undefined) take(notice);
        this.#noticed = row;
      }
    });
  }

  async follow(following: Following): Promise<void> {
    const { signal } = following;
    const bell = new EventEmitter();
    const notifications = new Notifications({
      url: this.#url,
      channel: MESSAGES,
      onMessage: () => bell.emit("ring"),
    });
    await notifications.open();
    const place: ReaderPlace = { ...following };
    while (!signal.aborted) {
      // It waits before it reads, so that it misses no notification.
      const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_MS)]);
      const rung = once(bell, "ring", { signal: limit }).catch(() => undefined);
      try {
        await this.#read(place);
      } catch (error) {
        if (!signal.aborted) this.#log.debug("cluster.read_failed", { error: String(error) });
      }
      await rung;
    }
    await notifications.close();
  }

  /**
   * Passes on the messages after the cursor. Each query looks for the cursor's own message too: without it the table
   * is another one, or messages after it may have been deleted. A lost connection alone would not tell of a restored
   * database, because the pool replaces one that is idle.
   */
  async #read(place: ReaderPlace): Promise<void> {
    for (let count = -1; count !== 0 && !place.signal.aborted;) {
      const rows = await this.#database.query<{ cursor: string; message: unknown }>(FROM, [
        parseNumber(place.cursor),
        COUNT,
      ]);
      if (rows[0]?.cursor === place.cursor) rows.shift();
      else if (place.cursor !== EMPTY) return skipTo(place, await this.#newest());
      count = rows.length;
      for (const row of rows) if (!place.signal.aborted) await this.#take(place, row);
    }
  }

  async #take(
    place: ReaderPlace,
    { cursor, message }: { cursor: string; message: unknown },
  ): Promise<void> {
    const { data } = messageSchema.safeParse(message);
    if (data === undefined) {
      // Another version of Sitewright has sent it: what it says is unknown.
      this.#log.warn("cluster.message_invalid", { id: cursor });
      await skipTo(place, cursor);
    } else {
      await place.take(data, cursor);
      place.cursor = cursor;
    }
  }

  async #newest(): Promise<string> {
    const sql = `select ${CURSOR} from site_messages order by id desc limit 1`;
    return (await this.#database.query<{ cursor: string }>(sql))[0]?.cursor ?? EMPTY;
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    await this.#database.close();
  }
}

/** Where a reader is. */
interface ReaderPlace extends Following {
  cursor: string;
}

/** Continues from a cursor, because messages before it may have been missed. */
async function skipTo(place: ReaderPlace, cursor: string): Promise<void> {
  await place.lost(cursor);
  place.cursor = cursor;
}

/** The number of a message in its cursor; 0 for none. */
function parseNumber(cursor: string): number {
  return Number(cursor.split("-")[0] ?? 0);
}
