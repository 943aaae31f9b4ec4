/** Values made once and dropped when what they were made from changes: tags, expiry, a byte budget, single flight. Runs in Node.js. */
export type {
  CacheEntry,
  CacheExplanation,
  Caches,
  CacheSpace,
  CacheSpaceOptions,
  CacheSpaceStats,
} from "./contract.js";
export { TaggedSpace } from "./tagged-space.js";
export { unpooled } from "./tagged-store.js";
