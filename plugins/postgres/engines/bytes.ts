import type { SharedDatabase } from "#lib/stores";
import type { BytesDefinition, RecordBytes } from "#kernel/internal";

/** Bytes of one row: each query has a time limit. */
const PART_BYTES = 1_048_576;

/** Rows of the table `site_bytes`. */
export class PostgresBytes implements RecordBytes {
  readonly #database: SharedDatabase;
  readonly #definition: BytesDefinition;

  constructor(database: SharedDatabase, definition: BytesDefinition) {
    this.#database = database;
    this.#definition = definition;
  }

  async put(key: string, at: number, bytes: Buffer): Promise<void> {
    const sql = `insert into site_bytes (store, key, at, part, bytes) values ($1, $2, $3, $4, $5)
      on conflict (store, key, at, part) do update set bytes = excluded.bytes`;
    const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
    await this.#query("delete from site_bytes where store = $1 and key = $2 and at = $3", [
      key,
      at,
    ]);
    for (let part = 0; part < parts; part += 1) {
      const from = part * PART_BYTES;
      const piece = bytes.subarray(from, from + PART_BYTES);
      await this.#query(sql, [key, at, part, piece]);
    }
  }

  async get(key: string, at: number): Promise<Buffer | null> {
    if (!this.#definition.key.test(key)) return null;
    const sql =
      "select bytes from site_bytes where store = $1 and key = $2 and at = $3 and part = $4";
    const pieces: Buffer[] = [];
    for (;;) {
      const rows = await this.#query<{ bytes: Buffer }>(sql, [key, at, pieces.length]);
      const [row] = rows;
      if (row === undefined) return pieces.length === 0 ? null : Buffer.concat(pieces);
      pieces.push(row.bytes);
    }
  }

  async delete(key: string): Promise<void> {
    if (!this.#definition.key.test(key)) return;
    await this.#query("delete from site_bytes where store = $1 and key = $2", [key]);
  }

  async keys(): Promise<readonly string[]> {
    const sql = "select distinct key from site_bytes where store = $1";
    const rows = await this.#query<{ key: string }>(sql, []);
    return rows.map(({ key }) => key);
  }

  async #query<R extends object>(sql: string, values: readonly unknown[]): Promise<R[]> {
    const all = [this.#definition.name, ...values];
    const { rows } = await this.#database.run((db) => db.query<R>(sql, all));
    return rows;
  }
}
