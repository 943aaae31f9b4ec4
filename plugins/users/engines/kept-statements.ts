import type { SqliteDatabase } from "kysely";

/** Statements kept; the queries of the stores are some twenty. */
const KEPT = 64;

/**
 * The database, each of whose statements is prepared once: preparing costs more than asking. A long
 * list of values makes a statement of its own, so only so many are kept.
 */
export function keepingStatements(database: SqliteDatabase): SqliteDatabase {
  const kept = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    prepare(sql) {
      const known = kept.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare(sql);
      if (kept.size >= KEPT) kept.clear();
      kept.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}
