import type { SiteContext, WriteLock } from "#kernel";
import type { SharedDatabase } from "#lib/stores";

/**
 * Rejects writes of pages and records while the database is down, before anything is written: what
 * follows from a write, such as webhooks and audit entries, could not be stored.
 */
export function guardWrites({ engines }: SiteContext, database: SharedDatabase): void {
  const slot = engines.slot("writeLock");
  const inner: WriteLock = slot.active;
  const guarded: WriteLock = {
    run: async (work) => {
      await database.run((db) => db.query("select 1"));
      return inner.run(work);
    },
  };
  engines.activate("writeLock", guarded, { wraps: slot.activeName });
}
