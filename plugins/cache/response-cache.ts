import type { CacheEntry, Caches, CacheSpace } from "#kernel";
import type { CachedResponse } from "./cached-response.js";
import type { CacheStats } from "./contract.js";

/** Share of the cache for addresses with a query string. */
const QUERY_SHARE = 0.25;
const SPACES = { plain: "responses", query: "responses-with-query" } as const;

/** Limits of the cached responses. */
export interface ResponseCacheOptions {
  maxEntries: number;
  maxBytes: number;
  /** Called with the keys that a tag or `clear` dropped. */
  onInvalidate?(keys: readonly string[]): void;
}
/** Null: the response belongs to its own request. */
export type SharedResponse = CachedResponse | null;

/**
 * Cached responses for anonymous visitors. Addresses with a query string have a share of their own,
 * so that they never evict pages.
 */
export class ResponseCache {
  readonly #caches: Pick<Caches, "stats">;
  readonly #plain: CacheSpace<SharedResponse>;
  readonly #query: CacheSpace<SharedResponse>;
  #uncacheable = 0;

  constructor(caches: Pick<Caches, "open" | "stats">, options: ResponseCacheOptions) {
    const { maxEntries, maxBytes, onInvalidate = () => undefined } = options;
    this.#caches = caches;
    const queryEntries = Math.floor(maxEntries * QUERY_SHARE);
    const sizeOf = (response: SharedResponse): number => response?.size ?? 0;
    this.#plain = caches.open<SharedResponse>(SPACES.plain, {
      sizeOf,
      onInvalidate,
      maxEntries: maxEntries - queryEntries,
      maxBytes: maxBytes * (1 - QUERY_SHARE),
    });
    this.#query = caches.open<SharedResponse>(SPACES.query, {
      sizeOf,
      onInvalidate,
      maxEntries: queryEntries,
      maxBytes: maxBytes * QUERY_SHARE,
    });
  }

  peek(key: string): CachedResponse | undefined {
    return this.#spaceOf(key).peek(key) ?? undefined;
  }

  /** The response that `make` resolves with, or that of a concurrent request for the key. */
  get(key: string, make: (entry: CacheEntry) => Promise<SharedResponse>): Promise<SharedResponse> {
    return this.#spaceOf(key).get(key, make);
  }

  /** Counts a request whose response cannot be cached. */
  countUncacheable(): void {
    this.#uncacheable += 1;
  }

  stats(): CacheStats {
    const all = this.#caches.stats();
    const spaces = Object.values(SPACES).flatMap((name) => all[name] ?? []);
    const sum = (field: "entries" | "hits" | "misses" | "evictions" | "bytes"): number =>
      spaces.reduce((total, space) => total + space[field], 0);
    const hits = sum("hits");
    const misses = sum("misses") + this.#uncacheable;
    return {
      entries: sum("entries"),
      hits,
      misses,
      hitRate: hits + misses === 0 ? null : hits / (hits + misses),
      evictions: sum("evictions"),
      bytes: sum("bytes"),
    };
  }

  #spaceOf(key: string): CacheSpace<SharedResponse> {
    return key.includes("?") ? this.#query : this.#plain;
  }
}
