import type {
  LogDefinition,
  LogMatch,
  RecordLog,
  JournalDefinition,
  JournalEntry,
  JournalValue,
  RecordJournal,
} from "../../records/contract.js";

/** Runs a query whose first value is the name of a collection, log or store. */
export type NamedQuery = <R extends object>(
  sql: string,
  ...values: readonly unknown[]
) => Promise<R[]>;

/** Entries of one query. */
const PAGE = 5_000;
/** Old entries are deleted each time this part of the size was appended. */
const PRUNE_PART = 20;

/** One transaction appends at a time, so that entries appear in the order of their numbers. */
const APPEND = `
with turn as materialized (select pg_advisory_xact_lock(hashtextextended('site_logs ' || $1, 0)))
insert into site_logs (log, node, bytes, value)
select $1, $2, octet_length(line), line::jsonb
from turn, unnest($3::text[]) with ordinality as entries (line, nth)
order by nth`;

/** The entries of a log, to which conditions and an order are added. */
const ENTRIES = "select id, node, value from site_logs where log = $1";

const PRUNE = `
delete from site_logs where log = $1 and id <= (
  select id from (
    select id, sum(bytes) over (order by id desc) as size from site_logs where log = $1
  ) as sizes
  where size > $2 order by id desc limit 1
)`;

/** The entries of a log that `list` returns. */
interface LogQuery {
  limit: number;
  /** Entries to skip, from the newest one. */
  offset: number;
  /** Values that an entry must contain. Default: any entry. */
  match?: LogMatch;
}

interface Row {
  id: number;
  node: string;
  value: unknown;
}

/** Rows of the table `site_logs`. */
export class PostgresLog<T> implements RecordLog<T> {
  readonly #query: NamedQuery;
  readonly #node: string;
  readonly #appended: Map<string, number>;
  readonly #definition: LogDefinition<T>;

  /** `appended`: bytes appended since old entries were deleted, by log. */
  constructor(
    query: NamedQuery,
    node: string,
    appended: Map<string, number>,
    definition: LogDefinition<T>,
  ) {
    this.#query = query;
    this.#node = node;
    this.#appended = appended;
    this.#definition = definition;
  }

  async append(entries: readonly T[]): Promise<void> {
    if (entries.length === 0) return;
    const lines = entries.map(toJsonb);
    const { name } = this.#definition;
    await this.#query(APPEND, this.#node, lines);
    const before = this.#appended.get(name) ?? Infinity;
    const bytes = lines.reduce((sum, line) => sum + line.length, before);
    this.#appended.set(name, bytes);
    if (bytes >= this.#definition.maxBytes / PRUNE_PART) await this.#prune();
  }

  async list({ limit, offset, match = {} }: LogQuery) {
    const found = toJsonb(match);
    const page = `${ENTRIES} and value @> $2::jsonb order by id desc limit $3 offset $4`;
    const rows = await this.#query<Row>(page, found, limit, offset);
    const counted = await this.#query<{ total: number }>(
      "select count(*) as total from site_logs where log = $1 and value @> $2::jsonb",
      found,
    );
    const entries = rows.flatMap(({ node, value }) => {
      const parsed = this.#definition.parse(value);
      return parsed === null ? [] : [{ value: parsed, node }];
    });
    return { entries, total: counted[0]?.total ?? 0 };
  }

  /** A cursor names the oldest entry and the last one that was passed: a restored database may lack the last. */
  async follow(cursor: string | null, take: (value: T) => void): Promise<string | null> {
    const [first = null, last = 0] = cursor?.split(" ").map(Number) ?? [];
    const [row] = await this.#query<{ oldest: number | null; isStored: boolean | null }>(
      'select min(id) as oldest, bool_or(id = $2) as "isStored" from site_logs where log = $1',
      last,
    );
    const oldest = row?.oldest ?? 0;
    const isSame = first === null || (first === oldest && (last === 0 || row?.isStored === true));
    return isSame ? `${oldest} ${await this.#takeAfter(last, take)}` : null;
  }

  /** Resolves with the number of the last entry. */
  async #takeAfter(last: number, take: (value: T) => void): Promise<number> {
    const sql = `${ENTRIES} and id > $2 order by id limit $3`;
    for (let after = last; ;) {
      const rows = await this.#query<Row>(sql, after, PAGE);
      for (const { value } of rows) {
        const parsed = this.#definition.parse(value);
        if (parsed !== null) take(parsed);
      }
      after = rows.at(-1)?.id ?? after;
      if (rows.length < PAGE) return after;
    }
  }

  /**
   * Deletes the oldest entries of a log that is too large. Ignores failures: the new entries are stored
   * already, so `append` must not reject.
   */
  async #prune(): Promise<void> {
    const { name, maxBytes } = this.#definition;
    this.#appended.set(name, 0);
    await this.#query(PRUNE, maxBytes).catch(() => undefined);
  }
}

/** JSON without what `jsonb` cannot store: NUL and halves of surrogate pairs. */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\\(u[0-9a-f]{4}|[^u])/g, (escaped) =>
    /^\\u(0000|d[89a-f])/.test(escaped) ? String.raw`\ufffd` : escaped,
  );
}

/** The last of the entries before a time stays: what follows it is complete. */
const PRUNE_JOURNAL = `
delete from site_logs where log = $1 and id < greatest(
  (select id from site_logs where log = $1 order by id desc offset $2 limit 1),
  (select id from site_logs where log = $1 and (value->>'at')::bigint < $3 order by id desc limit 1)
)`;

interface JournalRow {
  id: number;
  value: JournalValue;
}

/** Rows of the table `site_logs`: one order for all nodes, because one transaction appends at a time. */
export function openJournal(
  query: NamedQuery,
  node: string,
  { maxEntries }: JournalDefinition,
): RecordJournal {
  const entries = async (rest: string, ...values: number[]): Promise<JournalEntry[]> =>
    (await query<JournalRow>(`${ENTRIES} ${rest}`, ...values)).map(toEntry);
  return {
    isShared: true,
    append: async (values) => {
      if (values.length === 0) return;
      await query(
        APPEND,
        node,
        values.map(({ at, value }) => toJsonb({ at, value })),
      );
    },
    read: (from, limit) => entries("and id >= $2 order by id limit $3", from, limit),
    newest: async () => (await entries("order by id desc limit 1"))[0] ?? null,
    prune: async (before) => void (await query(PRUNE_JOURNAL, maxEntries - 1, before)),
  };
}

function toEntry({ id, value: { at, value } }: JournalRow): JournalEntry {
  return { n: id, at, value: value ?? undefined };
}
