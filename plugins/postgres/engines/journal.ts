import type { SharedDatabase } from "#lib/stores";
import type {
  JournalDefinition,
  JournalEntry,
  JournalValue,
  RecordJournal,
} from "#kernel/internal";
import { APPEND, toJsonb } from "./log.js";

/** A journal shares the table with the logs. */
const PREFIX = "journal ";

const READ = `
select id, value->'at' as at, value->'value' as value from site_logs
where log = $1 and id >= $2 order by id limit $3`;

const NEWEST = `
select id, value->'at' as at, value->'value' as value from site_logs
where log = $1 order by id desc limit 1`;

/** The last of the entries before a time stays: what follows it is complete. */
const PRUNE = `
delete from site_logs where log = $1 and id < greatest(
  (select id from site_logs where log = $1 order by id desc offset $2 limit 1),
  (select id from site_logs where log = $1 and (value->>'at')::bigint < $3 order by id desc limit 1)
)`;

interface Row {
  id: number;
  at: number;
  value: unknown;
}

/** Rows of the table `site_logs`: one order for all nodes, because one transaction appends at a time. */
export class PostgresJournal implements RecordJournal {
  readonly isShared = true;
  readonly #parts: { readonly database: SharedDatabase; readonly node: string };
  readonly #log: string;
  readonly #maxEntries: number;

  constructor(
    parts: { readonly database: SharedDatabase; readonly node: string },
    { name, maxEntries }: JournalDefinition,
  ) {
    this.#parts = parts;
    this.#log = `${PREFIX}${name}`;
    this.#maxEntries = maxEntries;
  }

  async append(values: readonly JournalValue[]): Promise<void> {
    if (values.length === 0) return;
    const lines = values.map(({ at, value }) => toJsonb({ at, value }));
    await this.#query(APPEND, [this.#log, this.#parts.node, lines]);
  }

  async read(from: number, limit: number): Promise<readonly JournalEntry[]> {
    return (await this.#query(READ, [this.#log, from, limit])).map(toEntry);
  }

  async newest(): Promise<JournalEntry | null> {
    const [row] = await this.#query(NEWEST, [this.#log]);
    return row === undefined ? null : toEntry(row);
  }

  async prune(before: number): Promise<void> {
    await this.#query(PRUNE, [this.#log, this.#maxEntries - 1, before]);
  }

  async #query(sql: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.#parts.database.run((db) => db.query<Row>(sql, values));
    return rows;
  }
}

function toEntry({ id, at, value }: Row): JournalEntry {
  return { n: id, at, value: value ?? undefined };
}
