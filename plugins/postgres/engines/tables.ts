import type { Kysely } from "kysely";
import type { DatabaseSchema } from "#kernel/internal";

/** The tables for the state that nodes share. */
export const sharedSchema: DatabaseSchema = {
  table: "site_shared_migrations",
  migrations: {
    "001-site": { up: (db) => run(db, SITE) },
    "002-jobs": { up: (db) => run(db, JOBS) },
  },
};

/** One row: which site the database belongs to. */
const SITE = ["create table site_owner (id integer primary key, site text not null)"];

/** `is_new`: stored by another process than the owner, which has not seen it yet. */
const JOBS = [
  `create table site_jobs (
    id text collate "C" primary key,
    queue text not null,
    is_dead boolean not null,
    is_new boolean not null,
    record json not null
  )`,
  "create index site_jobs_by_queue on site_jobs (queue, is_dead, id)",
  "create index site_jobs_new on site_jobs (id) where is_new",
  `create table site_leases (
    name text primary key,
    owner text not null,
    until timestamptz not null
  )`,
];

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  const { sql } = await import("kysely");
  for (const statement of statements) await sql.raw(statement).execute(db);
}
