/**
 * Strong validators, `Cache-Control` and cached responses for anonymous visitors until what they were made from changes.
 * Provides: cache.
 * Uses: health.
 * Fires: onCacheHit, onCacheMiss, onCacheInvalidate.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({
  name: "cache",
  version: "1.0.0",
  // The filter that records responses must run before the one that reduces them to 304.
  after: ["security", "health", "content", "cdn", "session", "llms", "admin", "render"],
  settings,
  fires: { onCacheHit: "notify", onCacheMiss: "notify", onCacheInvalidate: "notify" },
  async setup(site) {
    const { setUpCache } = await import("./set-up.js");
    setUpCache(site);
  },
});
