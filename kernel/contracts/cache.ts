/** The cache: values made once and dropped when what they were made from changes. */

/** What `make` fills in while it makes a value. */
export interface CacheEntry {
  /** What the value was made from: it is dropped when one of these is invalidated. */
  readonly tags: Set<string>;
  /** Unix ms from which on the value is out of date; null: never. */
  until: number | null;
  /** True: the value is for this caller only. It is not stored, and no other caller gets it. */
  private: boolean;
  /** Aborted when every caller that waits for the value has left. */
  readonly signal: AbortSignal;
}
/** Limits of a space. */
export interface CacheSpaceOptions<T> {
  /** Bytes of all values and keys; the least recently used go first. */
  maxBytes: number;
  /** Bytes of a value. */
  sizeOf(value: T): number;
  /** Default: no limit but `maxBytes`. */
  maxEntries?: number;
}
/**
 * The cached values of one kind.
 *
 * @example
 * const bodies = site.cache.open<Buffer>("bodies", { maxBytes: 16e6, sizeOf: ({ length }) => length });
 * const body = await bodies.get(route, async ({ tags }) => {
 *   tags.add(`route:${route}`);
 *   return render(route);
 * });
 */
export interface CacheSpace<T> {
  /**
   * The cached value, else what `make` returns. One caller makes it, others wait for it; a caller that
   * comes after an invalidation never gets a value that was begun before. What `make` throws reaches all
   * of them and is not cached. When `signal` is aborted its caller stops waiting, with the signal's
   * reason.
   */
  get(
    key: string,
    make: (entry: CacheEntry) => T | Promise<T>,
    options?: { signal?: AbortSignal },
  ): Promise<T>;
  /** The cached value; counts as a hit or nothing. */
  peek(key: string): T | undefined;
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
/** Why a value is, or is no longer, cached. */
export interface CacheExplanation {
  space: string;
  state: "cached" | "being made" | "absent";
  bytes: number | null;
  tags: readonly string[];
  /** Unix ms; null: no expiry, or absent. */
  until: number | null;
  /** The last time it was dropped, while that is remembered. */
  dropped: { at: number; reason: "tag" | "expired" | "evicted" | "cleared"; tag?: string } | null;
}
/** All caches of a site. */
export interface Caches {
  /** Opens a space, in `setup`. @throws ERR_CACHE_DUPLICATE. */
  open<T>(name: string, options: CacheSpaceOptions<T>): CacheSpace<T>;
  /** Drops every value made from one of the tags; values being made from one are not stored. */
  invalidate(tags: Iterable<string>): void;
  /** Empties one space, or all. */
  clear(name?: string): void;
  stats(): Readonly<Record<string, CacheSpaceStats>>;
  /** What each space knows of a key; spaces that know nothing are left out. */
  explain(key: string): readonly CacheExplanation[];
}
