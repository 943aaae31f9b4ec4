import type { Kysely } from "kysely";
import { SITE_OWNER_TABLE, type DatabaseSchema } from "#lib/databases";

/** The tables for the state that nodes share. */
export const sharedSchema: DatabaseSchema = {
  table: "site_shared_migrations",
  migrations: {
    "001-site": { up: (db) => run(db, [SITE_OWNER_TABLE]) },
    // Created tables before pg-boss stored the jobs. Databases that have it listed must find its name.
    "002-jobs": { up: () => Promise.resolve() },
    "003-records": { up: (db) => run(db, RECORDS) },
    "004-bytes": { up: (db) => run(db, BYTES) },
  },
};

/** Values stay as text, because `jsonb` has no NUL; entries of logs are found by what they contain. */
const RECORDS = [
  `create table site_records (
    collection text not null,
    key text collate "C" not null,
    node text not null,
    value json not null,
    primary key (collection, key)
  )`,
  `create table site_logs (
    id bigint generated always as identity primary key,
    log text not null,
    node text not null,
    bytes integer not null,
    value jsonb not null
  )`,
  "create index site_logs_by_log on site_logs (log, id)",
];

/** `part`: pieces of one byte array, from 0. */
const BYTES = [
  `create table site_bytes (
    store text not null,
    key text collate "C" not null,
    at integer not null,
    part integer not null,
    bytes bytea not null,
    primary key (store, key, at, part)
  )`,
];

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  const { sql } = await import("kysely");
  for (const statement of statements) await sql.raw(statement).execute(db);
}
