/** The public contract of the response cache: statistics, and how to invalidate responses. */
import type { NotifyHook } from "#kernel";

/** Statistics of the response cache. */
export interface CacheStats {
  entries: number;
  hits: number;
  misses: number;
  /** 0 to 1, null before the first request. */
  hitRate: number | null;
  evictions: number;
  /** Bytes of all cached responses. */
  bytes: number;
}
/**
 * Cached responses and validators (`http_cache`, `page_cache`).
 *
 * @example
 * const cache = site.use("cache");
 * cache.invalidate(["page:01.home/default.md"]);
 * site.log.info("usage.cache", { hitRate: cache.stats().hitRate });
 */
export interface CacheService {
  stats(): CacheStats;
  /**
   * Publishes on `site.changes` that tags are outdated: caches drop all entries that read one of
   * them.
   */
  invalidate(tags: Iterable<string>): void;
  /** Publishes that everything is outdated: empties all caches of the site. */
  clear(): void;
}

/** A rule of `http_cache.rules`. */
export interface HttpCacheRule {
  pattern: string;
  /** Seconds. */
  max_age?: number | undefined;
  /** Seconds. */
  stale_while_revalidate?: number | undefined;
  no_store?: boolean | undefined;
}

declare module "#kernel" {
  interface RequestState {
    /** Read tags of the cached response that was sent. */
    responseTags?: ReadonlySet<string>;
    /**
     * Which of several responses of one address a header selects (`markdown`): set by a step of the edge
     * before `cached`. It is part of the key; the response says so in `Vary`.
     */
    variant?: string;
  }
  interface Services {
    cache: CacheService;
  }
  interface HookMap {
    /**
     * After a response was served from the cache.
     *
     * @example
     * let hits = 0;
     * site.hooks.on("onCacheHit", () => void hits++);
     */
    onCacheHit: NotifyHook<{ key: string }>;
    /**
     * When the cache has no response for a request.
     *
     * @example
     * site.hooks.on("onCacheMiss", ({ data, log }) => log.debug("usage.cache_miss", { key: data.key }));
     */
    onCacheMiss: NotifyHook<{ key: string }>;
    /**
     * After a change has dropped cached responses.
     *
     * @example
     * site.hooks.on("onCacheInvalidate", ({ data, log }) => {
     *   log.info("usage.cache_invalidated", { entries: data.keys.length });
     * });
     */
    onCacheInvalidate: NotifyHook<{ keys: readonly string[] }>;
  }
  interface SiteSettings {
    http_cache: {
      default_max_age: number;
      default_swr: number;
      rules: HttpCacheRule[];
      /** Names of query parameters; a trailing `*` matches any suffix. */
      tracking_parameters: string[];
    };
  }
  interface SystemSettings {
    page_cache: { enabled: boolean; max_entries: number; ttl: number; warm: boolean };
  }
}
