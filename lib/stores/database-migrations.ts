import { setTimeout as delay } from "node:timers/promises";
import type { Kysely, Migration } from "kysely";
import { errorCode, SiteError } from "#lib/errors";

/** Attempts of a migration blocked by another process, and the pause between them in ms. */
const TRIES = 20;
const PAUSE_MS = 100;

/** The tables of one feature. */
export interface DatabaseSchema {
  /** Name of the table that lists what was applied; a second table adds `_lock`. */
  readonly table: string;
  /** Each is applied once, in the order of their names. Never change a released migration. */
  readonly migrations: Readonly<Record<string, Migration>>;
}

/**
 * Migrates tables to the latest version. PostgreSQL holds an advisory lock meanwhile. SQLite has no lock
 * across processes: the second process finds the work done and retries.
 * @throws ERR_DATABASE_NEWER when a newer version of Sitewright has migrated them further.
 */
export async function migrateDatabase<T>(
  db: Kysely<T>,
  { table, migrations }: DatabaseSchema,
): Promise<void> {
  const { Migrator: Runner } = await import("kysely");
  const migrator = new Runner({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  });
  for (let tried = 1; ; tried += 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    await assertNotNewer(db, { table, migrations });
    if (tried === TRIES || !isContention(error)) {
      throw error instanceof Error ? error : new Error(String(error));
    }
    await delay(PAUSE_MS);
  }
}

/** Explains a failed migration: the table lists one that this version does not have. */
async function assertNotNewer<T>(
  db: Kysely<T>,
  { table, migrations }: DatabaseSchema,
): Promise<void> {
  const { sql } = await import("kysely");
  const listed = sql<{ name: string }>`select name from ${sql.table(table)} order by name`;
  const rows = await listed.execute(db).then(
    ({ rows: found }) => found,
    () => [],
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => JSON.stringify(name)).join(", ");
  throw new SiteError("ERR_DATABASE_NEWER", `table "${table}" has the newer migrations ${names}`, {
    fix: "run the newer version of Sitewright on all nodes, or restore a backup of the database",
  });
}

function isContention(error: unknown): boolean {
  const code = errorCode(error);
  const isRace =
    error instanceof Error &&
    /already exists|duplicate column|UNIQUE constraint/i.test(error.message);
  // 23505: unique violation; 57014: the lock took longer than the time limit of a statement.
  return code.startsWith("SQLITE_BUSY") || isRace || code === "23505" || code === "57014";
}
