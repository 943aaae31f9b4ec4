/** Limits the cost of a store that is down; the settings of a bucket. Runs in Node.js. */
export { bucketSettings, type BucketSection } from "./bucket-settings.js";
export { CircuitBreaker, StoreGuard, type StoreState } from "./store-guard.js";
export { defaultNodeName, type NamedSite, siteIdentity } from "./shared-names.js";
