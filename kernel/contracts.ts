/**
 * All types of the kernel, by theme: what a plugin may declare, what it receives, and the interfaces that
 * plugins extend by declaration merging. `index.ts` selects the public ones.
 */
export * from "./contracts/environment.js";
export * from "./contracts/settings.js";
export * from "./contracts/config.js";
export * from "./contracts/http.js";
export * from "./contracts/request-state.js";
export * from "./contracts/hooks.js";
export * from "./contracts/services.js";
export * from "./contracts/slot-info.js";
export * from "./contracts/trace.js";
export * from "./contracts/changes.js";
export * from "./contracts/change-feed.js";
export * from "./contracts/nodes.js";
export * from "./contracts/reload.js";
export * from "./contracts/runtime.js";
export * from "./contracts/workers.js";
export * from "./contracts/site.js";
export * from "./contracts/command.js";
export * from "./contracts/diagnostics.js";
export * from "./contracts/plugin.js";
export type {
  CacheEntry,
  CacheExplanation,
  Caches,
  CacheSpace,
  CacheSpaceOptions,
  CacheSpaceStats,
} from "#lib/cache";
