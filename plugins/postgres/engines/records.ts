import { encodeTime } from "ulid";
import type { SharedDatabase } from "#lib/databases";
import type {
  CollectionDefinition,
  LogDefinition,
  RecordCollection,
  RecordLog,
  RecordStore,
  Stored,
  BytesDefinition,
  JournalDefinition,
  RecordBytes,
  RecordJournal,
} from "../../records/contract.js";
import { type NamedQuery, openJournal, PostgresLog } from "./log.js";

/** Collections, logs, bytes and journals of all nodes. */
export class PostgresRecords implements RecordStore {
  readonly #database: SharedDatabase;
  readonly #node: string;
  /** Bytes that this node has appended to each log since it last deleted old entries. */
  readonly #appended = new Map<string, number>();

  /** `node`: the name under which this one stores. */
  constructor(database: SharedDatabase, node: string) {
    this.#database = database;
    this.#node = node;
  }

  collection<T>(definition: CollectionDefinition<T>): RecordCollection<T> {
    const query = this.#queryOf(definition.name);
    return new PostgresCollection(this.#database, query, this.#node, definition);
  }

  log<T>(definition: LogDefinition<T>): RecordLog<T> {
    const query = this.#queryOf(definition.name);
    return new PostgresLog(query, this.#node, this.#appended, definition);
  }

  bytes(definition: BytesDefinition): RecordBytes {
    return openBytes(this.#queryOf(definition.name), definition);
  }

  /** A journal shares its table with the logs. */
  journal(definition: JournalDefinition): RecordJournal {
    return openJournal(this.#queryOf(`journal ${definition.name}`), this.#node, definition);
  }

  #queryOf(name: string): NamedQuery {
    return (sql, ...values) => this.#database.query(sql, [name, ...values]);
  }
}

const DAY_MS = 86_400_000;
/** Characters of the time in a ULID, and the lowest random part. */
const TIME_LENGTH = 10;
const LOWEST = "0".repeat(16);
/** Attempts of an update whose value is created or deleted by another node meanwhile. */
const MAX_TRIES = 5;

interface Row {
  key: string;
  node: string;
  value: unknown;
}

/** The values of a collection that `list` returns. */
interface CollectionQuery {
  /** Unix ms: only values whose key is a ULID of this time or later. Default: all. */
  since?: number;
  /** Default: all. */
  limit?: number;
}

/** Rows of the table `site_records`. */
class PostgresCollection<T> implements RecordCollection<T> {
  readonly #database: SharedDatabase;
  readonly #query: NamedQuery;
  readonly #node: string;
  readonly #definition: CollectionDefinition<T>;

  constructor(
    database: SharedDatabase,
    query: NamedQuery,
    node: string,
    definition: CollectionDefinition<T>,
  ) {
    this.#database = database;
    this.#query = query;
    this.#node = node;
    this.#definition = definition;
  }

  async get(key: string): Promise<Stored<T> | null> {
    if (!this.#definition.key.test(key)) return null;
    const sql = "select key, node, value from site_records where collection = $1 and key = $2";
    const [row] = await this.#query<Row>(sql, key);
    return this.#parse(row);
  }

  async put(key: string, value: T): Promise<void> {
    const sql = `insert into site_records (collection, key, node, value) values ($1, $2, $3, $4)
      on conflict (collection, key) do update set node = excluded.node, value = excluded.value`;
    await this.#query(sql, key, this.#node, JSON.stringify(value));
  }

  async update(key: string, change: (stored: T | null) => T | null): Promise<Stored<T> | null> {
    for (let tried = 1; ; tried += 1) {
      const done = await this.#tryUpdate(key, change);
      if (done !== null) return done.stored;
      if (tried === MAX_TRIES) throw new Error(`${this.#definition.name}: ${key} keeps changing`);
    }
  }

  async delete(key: string): Promise<boolean> {
    if (!this.#definition.key.test(key)) return false;
    const sql = "delete from site_records where collection = $1 and key = $2 returning key";
    return (await this.#query(sql, key)).length === 1;
  }

  async list({ since, limit }: CollectionQuery = {}) {
    const from = since === undefined ? "" : lowestKey(since);
    const where = "from site_records where collection = $1 and key >= $2";
    const page = `select key, node, value ${where} order by key desc limit $3`;
    const rows = await this.#query<Row>(page, from, limit ?? null);
    const items = rows.flatMap((row) => this.#parse(row) ?? []);
    if (limit === undefined) return { items, total: rows.length };
    const count = `select count(*) as total ${where}`;
    const [counted] = await this.#query<{ total: number }>(count, from);
    return { items, total: counted?.total ?? 0 };
  }

  async prune(before: number): Promise<void> {
    const sql = "delete from site_records where collection = $1 and key < $2";
    const day = before - (before % DAY_MS);
    await this.#query(sql, lowestKey(day));
  }

  /** Null: another node created the value meanwhile. */
  #tryUpdate(
    key: string,
    change: (stored: T | null) => T | null,
  ): Promise<{ stored: Stored<T> | null } | null> {
    const { name } = this.#definition;
    return this.#database.transaction(async (db) => {
      const result = await db.query<Row>(
        "select key, node, value from site_records where collection = $1 and key = $2 for update",
        [name, key],
      );
      const stored = this.#parse(result.rows[0]);
      const value = change(stored?.value ?? null);
      if (value === null) return { stored };
      const sql =
        result.rows.length === 0
          ? "insert into site_records (collection, key, node, value) values ($1, $2, $3, $4) on conflict do nothing"
          : "update site_records set node = $3, value = $4 where collection = $1 and key = $2";
      const text = JSON.stringify(value);
      const { rowCount } = await db.query(sql, [name, key, this.#node, text]);
      return rowCount === 1 ? { stored: { value, node: this.#node } } : null;
    });
  }

  #parse(row: Row | undefined): Stored<T> | null {
    if (row === undefined) return null;
    const value = this.#definition.parse(row.value, row.key);
    return value === null ? null : { value, node: row.node };
  }
}

/** The lowest key of a time in Unix ms. */
function lowestKey(time: number): string {
  return `${encodeTime(Math.max(0, Math.floor(time)), TIME_LENGTH)}${LOWEST}`;
}

/** Bytes of one row: each query has a time limit. */
const PART_BYTES = 1_048_576;

/** Rows of the table `site_bytes`. */
function openBytes(query: NamedQuery, { key: form }: BytesDefinition): RecordBytes {
  return {
    async put(key, at, bytes) {
      const sql = `insert into site_bytes (store, key, at, part, bytes) values ($1, $2, $3, $4, $5)
        on conflict (store, key, at, part) do update set bytes = excluded.bytes`;
      const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
      await query("delete from site_bytes where store = $1 and key = $2 and at = $3", key, at);
      for (let part = 0; part < parts; part += 1) {
        const from = part * PART_BYTES;
        await query(sql, key, at, part, bytes.subarray(from, from + PART_BYTES));
      }
    },
    async get(key, at) {
      if (!form.test(key)) return null;
      const sql =
        "select bytes from site_bytes where store = $1 and key = $2 and at = $3 and part = $4";
      const pieces: Buffer[] = [];
      for (;;) {
        const [row] = await query<{ bytes: Buffer }>(sql, key, at, pieces.length);
        if (row === undefined) return pieces.length === 0 ? null : Buffer.concat(pieces);
        pieces.push(row.bytes);
      }
    },
    async delete(key) {
      if (form.test(key)) await query("delete from site_bytes where store = $1 and key = $2", key);
    },
    async keys() {
      const sql = "select distinct key from site_bytes where store = $1";
      return (await query<{ key: string }>(sql)).map(({ key }) => key);
    },
  };
}
