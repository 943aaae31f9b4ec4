import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { PoolClient } from "pg";
import { z } from "zod";
import {
  withConnection,
  describeTables,
  tableShape,
  type Table,
  TABLES_FILE,
} from "./dump-tables.js";

/** Rows per statement. */
const ROWS = 200;
const descriptionShape = z.object({ tables: z.array(tableShape) });

/** Names of the site's tables that a database has. @throws ERR_BACKUP_DATABASE. */
export function listTables(url: string): Promise<string[]> {
  return withConnection(url, async (client) =>
    (await describeTables(client)).map(({ name }) => name),
  );
}

/**
 * Replaces the site's tables by those of a dump, in one transaction. `meanwhile` runs with the rows loaded,
 * before they become visible; when it fails, the tables stay as they were.
 * @throws ERR_BACKUP_DATABASE, ERR_PACKAGE_MISSING, what `meanwhile` throws.
 */
export async function loadTables(
  url: string,
  folder: string,
  meanwhile: (commit: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { tables } = descriptionShape.parse(
    JSON.parse(await readFile(join(folder, TABLES_FILE), "utf8")),
  );
  await withConnection(url, async (client) => {
    await client.query("begin");
    const names = new Set((await describeTables(client)).map(({ name }) => name));
    for (const { name } of tables) names.add(name);
    await client.query(`drop table if exists ${[...names].join(", ")} cascade`);
    for (const table of tables) await createTable(client, table);
    for (const table of tables) await fillTable(client, table, folder);
    for (const table of tables) await completeTable(client, table);
    for (const table of tables) await addConstraints(client, table, isForeignKey);
    await meanwhile(async () => void (await client.query("commit")));
  });
}

async function createTable(client: PoolClient, { name, columns }: Table): Promise<void> {
  const list = columns.map((column) => `${column.name} ${column.definition}`);
  await client.query(`create table ${name} (${list.join(", ")})`);
}

async function fillTable(client: PoolClient, table: Table, folder: string): Promise<void> {
  const lines = createInterface({
    input: createReadStream(join(folder, `${table.name}.ndjson`)),
    crlfDelay: Infinity,
  });
  const rows: string[] = [];
  for await (const line of lines) {
    if (line === "") continue;
    rows.push(line);
    if (rows.length === ROWS) await insert(client, table, rows.splice(0));
  }
  if (rows.length > 0) await insert(client, table, rows);
}

async function insert(client: PoolClient, { name }: Table, rows: string[]): Promise<void> {
  await client.query(
    `insert into ${name} overriding system value
     select (json_populate_record(null::${name}, row::json)).* from unnest($1::text[]) as row`,
    [rows],
  );
}

/** After the rows: constraints, indexes and the next number. */
async function completeTable(client: PoolClient, table: Table): Promise<void> {
  const { name, indexes, identity } = table;
  await addConstraints(client, table, (one) => !isForeignKey(one));
  for (const index of indexes) await client.query(index);
  if (identity === null) return;
  await client.query(
    `select setval(pg_get_serial_sequence('${name}', '${identity}'),
       coalesce((select max(${identity}) from ${name}), 0) + 1, false)`,
  );
}

async function addConstraints(
  client: PoolClient,
  { name, constraints }: Table,
  isWanted: (definition: string) => boolean,
): Promise<void> {
  for (const { name: constraint, definition } of constraints) {
    if (!isWanted(definition)) continue;
    await client.query(`alter table ${name} add constraint ${constraint} ${definition}`);
  }
}

/** They need the keys of all tables. */
function isForeignKey(definition: string): boolean {
  return definition.startsWith("FOREIGN KEY");
}
