/**
 * Connections to PostgreSQL and Redis, and migrations. Their packages are optional; the types name them, so no
 * public type of the kernel may name these. Runs in Node.js.
 */
export {
  type DatabaseAddress,
  type DatabaseSchema,
  databaseAddress,
  databaseStartupError,
  migrateDatabase,
  SharedDatabase,
  type StartupPatience,
  SITE_OWNER_TABLE,
} from "./shared-database.js";
export { Notifications, type NotificationOptions } from "./notifications.js";
export {
  createPostgresClient,
  createPostgresPool,
  describePostgresError,
  inTransaction,
  isPostgresAway,
  isPostgresUrl,
  type PostgresPool,
} from "./postgres-pool.js";
export { RedisCalls, type RedisClient, RedisConnection } from "./redis-connection.js";
export { SessionLocks, type SessionLockOptions } from "./session-locks.js";
