import type { SqliteDatabase } from "kysely";

/** Maximum number of cached statements; the stores use about 20 queries. */
const MAX_STATEMENTS = 64;

/**
 * Caches prepared statements: preparing costs more than running. The cache is limited because each
 * length of a value list is a statement of its own.
 */
export function cacheStatements(database: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    prepare(sql) {
      const cached = statements.get(sql);
      if (cached !== undefined) return cached;
      const statement = database.prepare(sql);
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}
