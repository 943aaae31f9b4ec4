import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { z } from "zod";
import { makeFolder, PRIVATE_FILE } from "#lib/files";
import { createPostgresPool, describePostgresError, isPostgresUrl } from "#lib/databases";
import { SiteError } from "#kernel";
import { backupError } from "../errors.js";

/** Rows per round trip. */
const ROWS = 500;
/** Name of the file that describes the tables. */
export const TABLES_FILE = "tables.json";

/** The files of a dump; `name` is relative to its folder. */
export interface Dump {
  readonly files: readonly {
    name: string;
    file: string;
    size: number;
    mode: number;
    mtimeMs: number;
  }[];
  /** Applied migrations by the table that lists them. */
  readonly migrations: Record<string, string[]>;
}

/**
 * Writes the site's tables as files: their form, and for each table its rows as JSON, one per line. All
 * rows are of one moment. Without a PostgreSQL address, the dump is empty.
 * @throws ERR_BACKUP_DATABASE, ERR_PACKAGE_MISSING.
 */
export async function dumpTables(url: string | undefined, folder: string): Promise<Dump> {
  if (!isPostgresUrl(url)) return { files: [], migrations: {} };
  await makeFolder(folder);
  return withConnection(url, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    const tables = await describeTables(client);
    if (tables.length === 0) return { files: [], migrations: {} };
    const description = Readable.from([`${JSON.stringify({ tables }, null, 1)}\n`]);
    await write(description, join(folder, TABLES_FILE));
    for (const { name } of tables) {
      await write(Readable.from(readRows(client, name)), join(folder, `${name}.ndjson`));
    }
    const names = [TABLES_FILE, ...tables.map(({ name }) => `${name}.ndjson`)];
    return {
      files: await Promise.all(names.map((name) => described(folder, name))),
      migrations: await listMigrations(client, tables),
    };
  });
}

async function write(from: Readable, file: string): Promise<void> {
  await pipeline(from, createWriteStream(file, { mode: PRIVATE_FILE }));
}

async function described(folder: string, name: string): Promise<Dump["files"][number]> {
  const file = join(folder, name);
  const { size, mtimeMs } = await stat(file);
  return { name, file, size, mode: PRIVATE_FILE, mtimeMs };
}

async function* readRows(client: PoolClient, table: string): AsyncGenerator<string> {
  await client.query(`declare rows cursor for select row_to_json(t)::text as row from ${table} t`);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS} from rows`);
    if (rows.length === 0) break;
    // A row of a `json` column may be indented.
    yield rows.map(({ row }) => `${row.replaceAll("\n", " ")}\n`).join("");
  }
  await client.query("close rows");
}

async function listMigrations(
  client: PoolClient,
  tables: readonly Table[],
): Promise<Record<string, string[]>> {
  const applied: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => table.name.endsWith("_migrations"))) {
    const { rows } = await client.query<{ name: string }>(`select name from ${name} order by name`);
    applied[name] = rows.map((row) => row.name);
  }
  return applied;
}

/** Leases belong to running servers. */
const WITHOUT: readonly string[] = ["site_leases"];

const NAME = /^(?:[a-z_][a-z0-9_]*|"[a-z_][a-z0-9_]*")$/;
/** Parts of statements, from an archive: one part cannot end the statement or begin a comment. */
const part = z.string().regex(/^(?!.*(?:--|\/\*))[\w "().,':[\]=<>*-]+$/);
const definition = z.object({ name: z.string().regex(NAME), definition: part });

/** A table, as an archive describes it. */
export const tableShape = z.object({
  name: z.string().regex(/^site_[a-z0-9_]{1,58}$/),
  /** Column definitions, in order. */
  columns: z.array(definition),
  /** Definitions of constraints, foreign keys last. */
  constraints: z.array(definition),
  /** `create index` statements. */
  indexes: z.array(part.regex(/^CREATE (?:UNIQUE )?INDEX \w+ ON site_\w+ USING \w+ \(/)),
  /** Column with numbers that the database counts. */
  identity: z.string().regex(NAME).nullable(),
});
export type Table = z.infer<typeof tableShape>;

/** All tables whose names begin with `site_`, in the schema that connections use. */
export async function describeTables(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; oid: number }>(
    `select relname as name, oid::int as oid from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace
       and relname ~ '^site_[a-z0-9_]+$' order by relname`,
  );
  const tables: Table[] = [];
  for (const { name, oid } of rows) {
    if (!WITHOUT.includes(name)) tables.push(await describeTable(client, name, oid));
  }
  return tables;
}

async function describeTable(client: PoolClient, name: string, oid: number): Promise<Table> {
  const columns = await client.query<{ name: string; definition: string; identity: string }>(
    `select quote_ident(attname) as name, attidentity as identity,
       format_type(atttypid, atttypmod)
       || case when attcollation <> 0 and attcollation <> typcollation
          then ' collate ' || quote_ident(collname) else '' end
       || case when attnotnull then ' not null' else '' end
       || case attidentity when 'a' then ' generated always as identity'
            when 'd' then ' generated by default as identity' else '' end
       || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as definition
     from pg_attribute
       join pg_type on pg_type.oid = atttypid
       left join pg_collation on pg_collation.oid = attcollation
       left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = $1 and attnum > 0 and not attisdropped order by attnum`,
    [oid],
  );
  const constraints = await client.query<{ name: string; definition: string }>(
    `select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where conrelid = $1 and contype in ('p', 'u', 'c', 'f')
     order by contype = 'f', conname`,
    [oid],
  );
  const indexes = await client.query<{ definition: string }>(
    `select regexp_replace(pg_get_indexdef(indexrelid), ' ON \\S+\\.', ' ON ') as definition
     from pg_index where indrelid = $1
       and not exists (select from pg_constraint where conindid = indexrelid)
     order by indexrelid`,
    [oid],
  );
  return {
    name,
    columns: columns.rows.map(({ name: column, definition }) => ({ name: column, definition })),
    constraints: constraints.rows,
    indexes: indexes.rows.map(({ definition }) => definition),
    identity: columns.rows.find(({ identity }) => identity !== "")?.name ?? null,
  };
}

/** Time limit of one statement in ms. */
const STATEMENT_MS = 120_000;

/** True when SITE_DB_URL names a PostgreSQL server. */
export { isPostgresUrl };

/**
 * Runs work on one connection to PostgreSQL.
 * @throws ERR_BACKUP_DATABASE, ERR_PACKAGE_MISSING.
 */
export async function withConnection<T>(
  url: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const pool = await createPostgresPool({
    url,
    connections: 1,
    statementMs: STATEMENT_MS,
    transactions: "long",
  });
  try {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      // Its transaction ends with it.
      client.release(true);
    }
  } catch (cause) {
    if (cause instanceof SiteError) throw cause;
    const message = `the database of SITE_DB_URL failed: ${describePostgresError(cause)}`;
    throw backupError("ERR_BACKUP_DATABASE", message, {
      fix: "correct SITE_DB_URL, or pass --no-database",
      cause,
    });
  } finally {
    await pool.end();
  }
}
