/**
 * Strong validators, `Cache-Control` and cached responses for anonymous visitors until what they were made from changes.
 * Provides: cache.
 * Uses: health.
 * Fires: onCacheHit, onCacheMiss, onCacheInvalidate.
 */
import { definePlugin, dropParameters, type EdgeStep, type SiteContext } from "#kernel";
import { responseFilter } from "./middleware.js";
import { ResponseCache } from "./response-cache.js";
import { isRead, ResponseKeys } from "./response-keys.js";
import { serveCached } from "./serve-cached.js";
import { settings } from "./settings.js";

/** Bytes of all cached responses together. */
const MAX_BYTES = 128 * 1_024 * 1_024;
/** Entries when `page_cache` is off, in production. */
const MAX_ENTRIES = 10_000;

export default definePlugin({
  name: "cache",
  version: "1.0.0",
  // The filter that records responses must run before the one that reduces them to 304.
  after: ["security", "health", "content", "cdn", "session", "llms", "admin", "render"],
  settings,
  fires: { onCacheHit: "notify", onCacheMiss: "notify", onCacheInvalidate: "notify" },
  setup(site) {
    const { enabled, max_entries: maxEntries } = site.settings.system.page_cache;
    const responses = new ResponseCache(site.cache, {
      maxEntries: enabled ? maxEntries : MAX_ENTRIES,
      maxBytes: MAX_BYTES,
      onInvalidate: createNotifier(site),
    });
    // The feed invalidates the cache and logs errors of listeners.
    const publish = (tags: ReadonlySet<string> | null): void => {
      site.changes.publish({ changes: [], tags }).catch(() => undefined);
    };
    site.provide("cache", {
      stats: () => responses.stats(),
      invalidate: (tags) => publish(new Set(tags)),
      clear: () => publish(null),
    });
    const { tracking_parameters: tracking } = site.settings.site.http_cache;
    if (tracking.length > 0) site.http.edge("observe", ignoreTracking(tracking));
    const isCaching = enabled || site.runtime.env.mode === "production";
    const keys = new ResponseKeys(site.cache, site.hooks);
    site.http.filter(responseFilter(site, isCaching ? keys : null));
    if (isCaching) site.http.edge("cached", serveCached(site, responses, keys));
    site.use("health", { optional: true })?.addSection("cache", () => responses.stats());
  },
});

/** Fires onCacheInvalidate once for all keys that a change drops. */
function createNotifier(site: SiteContext): (keys: readonly string[]) => void {
  const dropped: string[] = [];
  return (keys) => {
    if (!site.hooks.has("onCacheInvalidate")) return;
    if (dropped.length === 0)
      queueMicrotask(() => site.hooks.notify("onCacheInvalidate", { keys: dropped.splice(0) }));
    dropped.push(...keys);
  };
}

/**
 * Removes parameters that only track from requests: no page, cache key or link of the site depends on them.
 * Redirects pass them on. Skips the API: its parameters are declared, and a record's field may have such a name.
 */
function ignoreTracking(names: readonly string[]): EdgeStep {
  return (req) => {
    const { ctx } = req;
    if (ctx.search === "" || !isRead(req) || ctx.path.startsWith("/api/")) return;
    ctx.passesOn = dropParameters(req, names);
  };
}
