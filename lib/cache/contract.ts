/** The cache: values built once and dropped when their dependencies change. */

/** Filled in by `make` while it builds a value. */
export interface CacheEntry {
  /** The key the value is stored under; default: the one that was asked for. */
  key: string;
  /** Names the sources of the value: it is dropped when one of these is invalidated. */
  readonly tags: Set<string>;
  /** Unix ms from which the value is stale; null: never. */
  until: number | null;
  /**
   * True: the value is for this caller only. It is not stored, no other caller gets it, and for ten
   * seconds callers for the key do not wait for each other.
   */
  private: boolean;
  /** Aborted when every waiting caller has left. */
  readonly signal: AbortSignal;
}
/** Limits of a space. */
export interface CacheSpaceOptions<T> {
  /** Bytes of all values and keys; the least recently used are evicted first. */
  maxBytes: number;
  /** Bytes of a value. */
  sizeOf(value: T): number;
  /** Larger values, with their keys, are not stored; default: `maxBytes`. */
  maxValueBytes?: number;
  /** True: values depend on their key alone, and no tag concerns them. */
  untagged?: boolean;
  /** Default: no limit but `maxBytes`; 0: nothing is stored. */
  maxEntries?: number;
  /** The space is emptied when nothing in it was used for this long; default: never. */
  idleMs?: number;
  /** Called in the same tick with the keys that a tag or `clear` has dropped. */
  onInvalidate?(keys: readonly string[]): void;
}
/**
 * The cached values of one kind.
 *
 * @example
 * const bodies = site.cache.open<Buffer>("bodies", { maxBytes: 16e6, sizeOf: ({ length }) => length });
 * const body = await bodies.get("https://rates.example/EUR", async ({ tags }) => {
 *   tags.add("rates");
 *   return (await site.use("outbound").request("https://rates.example/EUR")).body;
 * });
 */
export interface CacheSpace<T> {
  /**
   * The cached value, else the result of `make`. Concurrent callers share one call of `make`. A caller
   * that arrives after an invalidation never gets a value whose build began before it. An error of
   * `make` reaches every waiting caller and is not cached. When `signal` is aborted, its caller stops
   * waiting and rejects with the signal's reason.
   */
  get(
    key: string,
    make: (entry: CacheEntry) => T | Promise<T>,
    options?: { signal?: AbortSignal },
  ): Promise<T>;
  /** The cached value; counted only as a hit. */
  peek(key: string): T | undefined;
  /**
   * Stores a value that was made without waiting, or that its reader validates; counts as a miss. What
   * takes time and is trusted belongs into `get`, which notices invalidations meanwhile.
   */
  set(key: string, value: T, options?: { tags?: Iterable<string>; until?: number | null }): void;
  delete(key: string): void;
  clear(): void;
}
/** Counters of a space. */
export interface CacheSpaceStats {
  entries: number;
  bytes: number;
  maxBytes: number;
  hits: number;
  misses: number;
  /** 0 to 1; null before the first `get`. */
  hitRate: number | null;
  evictions: number;
}
/** `idle`: nothing in the space was used for its `idleMs`. */
export type CacheDropReason = "tag" | "expired" | "evicted" | "cleared" | "idle";
/** Why a value is, or is no longer, cached. */
export interface CacheExplanation {
  space: string;
  state: "cached" | "being made" | "absent";
  bytes: number | null;
  tags: readonly string[];
  /** Unix ms at which it was stored; null: absent. */
  since: number | null;
  /** Unix ms; null: no expiry, or absent. */
  until: number | null;
  /** The last time it was dropped, while that is remembered. */
  dropped: { at: number; reason: CacheDropReason; tag?: string } | null;
}
/** All caches of a site. */
export interface Caches {
  /** Opens a space, in `setup`. @throws ERR_CACHE_DUPLICATE. */
  open<T>(name: string, options: CacheSpaceOptions<T>): CacheSpace<T>;
  /** Drops every value that depends on one of the tags; such values still being built are not stored. */
  invalidate(tags: Iterable<string>): void;
  /** Empties one space, or all. */
  clear(name?: string): void;
  stats(): Readonly<Record<string, CacheSpaceStats>>;
  /** Explains the entries of a key; spaces without one are left out. */
  explain(key: string): readonly CacheExplanation[];
}
