/** Connections to Redis, PostgreSQL and buckets, migrations, and what limits the cost of a store that is down. Runs in Node.js. */
export { bucketSettings, type BucketSection } from "./bucket-settings.js";
export { CircuitBreaker } from "./circuit-breaker.js";
export { migrateDatabase, type DatabaseSchema } from "./database-migrations.js";
export {
  createPostgresPool,
  describePostgresError,
  isPostgresAway,
  isPostgresUrl,
} from "./postgres-pool.js";
export { RedisCalls } from "./redis-calls.js";
export { RedisConnection, type RedisClient } from "./redis-connection.js";
export { SITE_OWNER_TABLE, SharedDatabase, type DatabaseAddress } from "./shared-database.js";
export { StoreGuard } from "./store-guard.js";
