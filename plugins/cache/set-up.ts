import { dropParameters, type EdgeStep, type SiteContext } from "#kernel";
import { responseFilter } from "./middleware.js";
import { ResponseCache } from "./response-cache.js";
import { isRead, ResponseKeys } from "./response-keys.js";
import { serveCached } from "./serve-cached.js";

/** Registers what the plugin does in a site that starts. */
export function setUpCache(site: SiteContext): void {
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
}

/** Bytes of all cached responses together. */
const MAX_BYTES = 128 * 1_024 * 1_024;

/** Entries when `page_cache` is off, in production. */
const MAX_ENTRIES = 10_000;

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
