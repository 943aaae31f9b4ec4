import { LRUCache } from "lru-cache";
import { SingleFlight } from "#lib/concurrency";
import type { Clock } from "#lib/dates";
import type {
  CacheEntry,
  CacheExplanation,
  CacheSpace,
  CacheSpaceOptions,
  CacheSpaceStats,
} from "./contract.js";
import { TaggedStore, type Stored } from "./tagged-store.js";

/**
 * Keys whose callers do not wait for each other, the characters of all of them, and for how long after a
 * private value, in ms.
 */
const MAX_UNSHARED = 5_000;
const MAX_UNSHARED_LENGTH = 1_024 * 1_024;
const UNSHARED_MS = 10_000;

/** A value, and whether waiting callers may use it. */
interface Built<T> {
  readonly value: T;
  readonly isPrivate: boolean;
  /** The `make` of the caller that built it. */
  readonly by: object;
}
/** Builds a value; `entry` takes the tags and the time limit of what it read. */
type Make<T> = (entry: CacheEntry) => T | Promise<T>;

/** The values of one kind: a store and the pending builds. */
export class TaggedSpace<T> implements CacheSpace<T> {
  readonly #name: string;
  readonly #options: CacheSpaceOptions<T>;
  readonly #clock: Clock;
  readonly #store: TaggedStore<T>;
  readonly #pending = new SingleFlight<Built<T>>();
  /** Key to the invalidation version at the start of its pending build. */
  readonly #startVersions = new Map<string, number>();
  readonly #builds = new PendingBuilds();
  /** Key to the time (Unix ms) until which its callers do not wait for each other. */
  #unshared: LRUCache<string, number> | null = null;
  #hits = 0;
  #misses = 0;

  constructor(name: string, options: CacheSpaceOptions<T>, clock: Clock) {
    this.#name = name;
    this.#options = options;
    this.#clock = clock;
    this.#store = new TaggedStore(options, clock);
  }

  async get(key: string, make: Make<T>, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
    const cached = this.#store.find(key);
    if (cached !== undefined) {
      this.#hits += 1;
      return cached.value;
    }
    this.#misses += 1;
    const build = (): Promise<Built<T>> =>
      this.#make(key, make, signal ?? new AbortController().signal);
    if (this.#isUnshared(key)) return (await build()).value;
    // A value started before an invalidation may be stale, so later callers do not join it.
    if (this.#startVersions.get(key) !== this.#builds.version) this.#pending.detach(key);
    const shared = (left: AbortSignal): Promise<Built<T>> => this.#makeShared(key, make, left);
    const built = await leavable(this.#pending.join(key, shared, signal).result, signal);
    return built.isPrivate && built.by !== make ? (await build()).value : built.value;
  }

  peek(key: string): T | undefined {
    const cached = this.#store.find(key);
    if (cached === undefined) return undefined;
    this.#hits += 1;
    return cached.value;
  }

  set(
    key: string,
    value: T,
    { tags, until = null }: { tags?: Iterable<string>; until?: number | null } = {},
  ): void {
    this.#misses += 1;
    this.#put(key, { value, tags: new Set(tags), until });
  }

  delete(key: string): void {
    this.#store.delete(key);
  }

  clear(): void {
    this.#builds.invalidateAll();
    this.#onInvalidate(this.#store.drop("cleared"));
  }

  /** Drops the values that depend on one of the tags. */
  invalidate(tags: readonly string[]): void {
    if (this.#options.untagged === true) return;
    this.#builds.invalidate(tags);
    this.#onInvalidate(this.#store.dropTagged(tags));
  }

  /** Stops the idle timer. */
  close(): void {
    this.#store.close();
  }

  stats(): CacheSpaceStats {
    const total = this.#hits + this.#misses;
    return {
      ...this.#store.stats(),
      maxBytes: this.#options.maxBytes,
      hits: this.#hits,
      misses: this.#misses,
      hitRate: total === 0 ? null : this.#hits / total,
    };
  }

  /** Explains a key; null for an unknown one. */
  explain(key: string): CacheExplanation | null {
    const explanation = this.#store.explain(key);
    const space = this.#name;
    if (explanation.since !== null) return { space, state: "cached", ...explanation };
    if (this.#pending.has(key)) return { space, state: "being made", ...explanation };
    return explanation.dropped === null ? null : { space, state: "absent", ...explanation };
  }

  async #makeShared(key: string, make: Make<T>, signal: AbortSignal): Promise<Built<T>> {
    const startVersion = this.#builds.version;
    this.#startVersions.set(key, startVersion);
    try {
      return await this.#make(key, make, signal);
    } finally {
      if (this.#startVersions.get(key) === startVersion) this.#startVersions.delete(key);
    }
  }

  async #make(key: string, make: Make<T>, signal: AbortSignal): Promise<Built<T>> {
    const entry: CacheEntry = { key, tags: new Set(), until: null, private: false, signal };
    const startVersion = this.#builds.begin();
    try {
      const value = await make(entry);
      const { tags, until } = entry;
      if (entry.private) this.#unshare(key);
      else if (this.#isCurrent(entry, startVersion)) this.#put(entry.key, { value, tags, until });
      return { value, isPrivate: entry.private, by: make };
    } finally {
      this.#builds.end(startVersion);
    }
  }

  #isCurrent({ tags, until }: CacheEntry, startVersion: number): boolean {
    if (until !== null && until <= this.#clock.now()) return false;
    return !this.#builds.isOutdated(tags, startVersion);
  }

  #put(key: string, built: Omit<Stored<T>, "since">): void {
    this.#store.put(key, built);
    this.#unshared?.delete(key);
  }

  #isUnshared(key: string): boolean {
    return (this.#unshared?.get(key) ?? 0) > this.#clock.now();
  }

  #unshare(key: string): void {
    this.#unshared ??= new LRUCache({
      max: MAX_UNSHARED,
      maxSize: MAX_UNSHARED_LENGTH,
      sizeCalculation: (_until, key) => Math.max(1, key.length),
    });
    this.#unshared.set(key, this.#clock.now() + UNSHARED_MS);
  }

  #onInvalidate(keys: readonly string[]): void {
    if (keys.length > 0) this.#options.onInvalidate?.(keys);
  }
}

/** `work`, or a rejection with the reason of `signal` as soon as it is aborted. */
function leavable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/**
 * Values that are being made, and the tags that were invalidated meanwhile. Exact, and empty while nothing is
 * being made: a value that was begun before an invalidation of one of its tags must not be stored.
 */
class PendingBuilds {
  /** Grows with each invalidation. */
  #version = 0;
  #clearedAt = 0;
  readonly #byTag = new Map<string, number>();
  /** The number of unfinished builds by the version at which they began. */
  readonly #open = new Map<number, number>();

  get version(): number {
    return this.#version;
  }

  /** The version at which making a value begins; give it back to `end`. */
  begin(): number {
    this.#open.set(this.#version, (this.#open.get(this.#version) ?? 0) + 1);
    return this.#version;
  }

  end(begun: number): void {
    const left = (this.#open.get(begun) ?? 1) - 1;
    if (left > 0) this.#open.set(begun, left);
    else this.#open.delete(begun);
    if (this.#open.size === 0) this.#byTag.clear();
  }

  invalidate(tags: Iterable<string>): void {
    this.#version += 1;
    if (this.#open.size === 0) return;
    for (const tag of tags) this.#byTag.set(tag, this.#version);
  }

  invalidateAll(): void {
    this.#version += 1;
    this.#clearedAt = this.#version;
  }

  /** True when one of `tags` was invalidated after version `begun`. */
  isOutdated(tags: Iterable<string>, begun: number): boolean {
    if (this.#clearedAt > begun) return true;
    for (const tag of tags) if ((this.#byTag.get(tag) ?? 0) > begun) return true;
    return false;
  }
}
