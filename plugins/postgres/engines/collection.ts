import { encodeTime } from "ulid";
import type { CollectionDefinition, RecordCollection, Stored } from "#kernel";
import type { SharedDatabase } from "#lib/stores";

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

/** Rows of the table `site_records`. */
export class PostgresCollection<T> implements RecordCollection<T> {
  readonly #database: SharedDatabase;
  readonly #node: string;
  readonly #definition: CollectionDefinition<T>;

  constructor(database: SharedDatabase, node: string, definition: CollectionDefinition<T>) {
    this.#database = database;
    this.#node = node;
    this.#definition = definition;
  }

  async get(key: string): Promise<Stored<T> | null> {
    if (!this.#definition.key.test(key)) return null;
    const sql = "select key, node, value from site_records where collection = $1 and key = $2";
    const values = [this.#definition.name, key];
    const { rows } = await this.#database.run((db) => db.query<Row>(sql, values));
    return this.#parse(rows[0]);
  }

  async put(key: string, value: T): Promise<void> {
    const sql = `insert into site_records (collection, key, node, value) values ($1, $2, $3, $4)
      on conflict (collection, key) do update set node = excluded.node, value = excluded.value`;
    const values = [this.#definition.name, key, this.#node, JSON.stringify(value)];
    await this.#database.run((db) => db.query(sql, values));
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
    const sql = "delete from site_records where collection = $1 and key = $2";
    const values = [this.#definition.name, key];
    const { rowCount } = await this.#database.run((db) => db.query(sql, values));
    return rowCount === 1;
  }

  async list({ since, limit }: { since?: number; limit?: number } = {}) {
    const from = since === undefined ? "" : keyAt(since);
    const values = [this.#definition.name, from];
    const where = "from site_records where collection = $1 and key >= $2";
    const page = `select key, node, value ${where} order by key desc limit $3`;
    const { rows } = await this.#database.run((db) =>
      db.query<Row>(page, [...values, limit ?? null]),
    );
    const items = rows.flatMap((row) => this.#parse(row) ?? []);
    if (limit === undefined) return { items, total: rows.length };
    const counted = await this.#database.run((db) =>
      db.query<{ total: number }>(`select count(*) as total ${where}`, values),
    );
    return { items, total: counted.rows[0]?.total ?? 0 };
  }

  async prune(before: number): Promise<void> {
    const sql = "delete from site_records where collection = $1 and key < $2";
    const day = before - (before % DAY_MS);
    const values = [this.#definition.name, keyAt(day)];
    await this.#database.run((db) => db.query(sql, values));
  }

  /** Null: another node created the value meanwhile. */
  #tryUpdate(
    key: string,
    change: (stored: T | null) => T | null,
  ): Promise<{ stored: Stored<T> | null } | null> {
    const { name } = this.#definition;
    return this.#database.transaction(async (db) => {
      const found = await db.query<Row>(
        "select key, node, value from site_records where collection = $1 and key = $2 for update",
        [name, key],
      );
      const stored = this.#parse(found.rows[0]);
      const value = change(stored?.value ?? null);
      if (value === null) return { stored };
      const sql =
        found.rows.length === 0
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
function keyAt(time: number): string {
  return `${encodeTime(Math.max(0, Math.floor(time)), TIME_LENGTH)}${LOWEST}`;
}
