import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { makeFolder, PRIVATE_FILE } from "#kernel/internal";
import { isPostgresUrl, withConnection } from "./connect.js";
import { describeTables, type Table } from "./describe-tables.js";

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
 * @throws ERR_BACKUP_DATABASE, ERR_POSTGRES_DRIVER.
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
      await write(Readable.from(rowsOf(client, name)), join(folder, `${name}.ndjson`));
    }
    const names = [TABLES_FILE, ...tables.map(({ name }) => `${name}.ndjson`)];
    return {
      files: await Promise.all(names.map((name) => described(folder, name))),
      migrations: await migrationsOf(client, tables),
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

async function* rowsOf(client: PoolClient, table: string): AsyncGenerator<string> {
  await client.query(`declare rows cursor for select row_to_json(t)::text as row from ${table} t`);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS} from rows`);
    if (rows.length === 0) break;
    // A row of a `json` column may be indented.
    yield rows.map(({ row }) => `${row.replaceAll("\n", " ")}\n`).join("");
  }
  await client.query("close rows");
}

async function migrationsOf(
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
