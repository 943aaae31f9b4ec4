/** Connections to Redis, PostgreSQL and buckets, migrations, and what limits the cost of a store that is down. Runs in Node.js. */
export { bucketSettings, type BucketSection } from "./bucket-settings.js";
export { CircuitBreaker, StoreGuard } from "./store-guard.js";
export {
  type DatabaseAddress,
  type DatabaseSchema,
  migrateDatabase,
  SharedDatabase,
  SITE_OWNER_TABLE,
} from "./shared-database.js";
export {
  createPostgresPool,
  describePostgresError,
  isPostgresAway,
  isPostgresUrl,
} from "./postgres-pool.js";
export { RedisCalls, type RedisClient, RedisConnection } from "./redis-connection.js";
