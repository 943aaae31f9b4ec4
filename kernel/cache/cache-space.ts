import { LRUCache } from "lru-cache";
import type {
  CacheEntry,
  CacheExplanation,
  CacheSpace,
  CacheSpaceOptions,
  CacheSpaceStats,
  Clock,
} from "../contracts.js";
import { Invalidations } from "./invalidations.js";
import { SingleFlight } from "../single-flight.js";

/** Room for the entry itself, in bytes. */
const ENTRY_BYTES = 200;
/** Keys whose last drop is remembered. */
const MAX_DROPS = 1_000;

interface Stored<T> {
  readonly value: T;
  readonly tags: ReadonlySet<string>;
  readonly until: number | null;
}
/** A value with what its other waiters must know. */
interface Made<T> {
  readonly value: T;
  readonly isPrivate: boolean;
  /** The `make` of the caller who made it. */
  readonly by: object;
}
type Drop = NonNullable<CacheExplanation["dropped"]>;

/** The values of one kind: a bounded store, its index by tag, and what is being made. */
export class TaggedSpace<T> implements CacheSpace<T> {
  readonly #name: string;
  readonly #options: CacheSpaceOptions<T>;
  readonly #clock: Clock;
  readonly #store: LRUCache<string, Stored<T>>;
  readonly #byTag = new Map<string, Set<string>>();
  readonly #making = new SingleFlight<Made<T>>();
  readonly #begun = new Map<string, number>();
  readonly #invalidations = new Invalidations();
  readonly #drops = new LRUCache<string, Drop>({ max: MAX_DROPS });
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(name: string, options: CacheSpaceOptions<T>, clock: Clock) {
    this.#name = name;
    this.#options = options;
    this.#clock = clock;
    this.#store = new LRUCache<string, Stored<T>>({
      maxSize: Math.max(1, Math.floor(options.maxBytes)),
      ...(options.maxEntries !== undefined && { max: Math.max(1, options.maxEntries) }),
      sizeCalculation: ({ value }, key) => options.sizeOf(value) + key.length + ENTRY_BYTES,
      dispose: (stored, key, reason) => {
        this.#unlink(key, stored);
        if (reason !== "evict") return;
        this.#evictions += 1;
        this.#noteDrop(key, { reason: "evicted" });
      },
    });
  }

  async get(
    key: string,
    make: (entry: CacheEntry) => T | Promise<T>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> {
    const cached = this.#find(key);
    if (cached !== undefined) {
      this.#hits += 1;
      return cached.value;
    }
    this.#misses += 1;
    // What was begun before an invalidation may be out of date: those who come after it do not join.
    if (this.#begun.get(key) !== this.#invalidations.version) this.#making.detach(key);
    const work = (left: AbortSignal): Promise<Made<T>> => this.#make(key, make, left);
    const made = await leavable(this.#making.join(key, work, signal).result, signal);
    if (!made.isPrivate || made.by === make) return made.value;
    return (await work(signal ?? new AbortController().signal)).value;
  }

  peek(key: string): T | undefined {
    const cached = this.#find(key);
    if (cached !== undefined) this.#hits += 1;
    return cached?.value;
  }

  delete(key: string): void {
    if (this.#store.delete(key)) this.#noteDrop(key, { reason: "cleared" });
  }

  clear(): void {
    this.#invalidations.addAll();
    for (const key of this.#store.keys()) this.#noteDrop(key, { reason: "cleared" });
    this.#store.clear();
  }

  /** Drops what was made from one of the tags; returns the keys. */
  invalidate(tags: readonly string[]): string[] {
    this.#invalidations.add(tags);
    const dropped = new Map<string, string>();
    for (const tag of tags) for (const key of this.#byTag.get(tag) ?? []) dropped.set(key, tag);
    for (const [key, tag] of dropped) {
      this.#store.delete(key);
      this.#noteDrop(key, { reason: "tag", tag });
    }
    return [...dropped.keys()];
  }

  stats(): CacheSpaceStats {
    const asked = this.#hits + this.#misses;
    return {
      entries: this.#store.size,
      bytes: this.#store.calculatedSize,
      maxBytes: this.#options.maxBytes,
      hits: this.#hits,
      misses: this.#misses,
      hitRate: asked === 0 ? null : this.#hits / asked,
      evictions: this.#evictions,
    };
  }

  /** What is known of a key; null when nothing is. */
  explain(key: string): CacheExplanation | null {
    const stored = this.#find(key);
    const dropped = this.#drops.get(key) ?? null;
    const space = this.#name;
    if (stored !== undefined) {
      const bytes = this.#options.sizeOf(stored.value);
      const { tags, until } = stored;
      return { space, state: "cached", bytes, tags: [...tags], until, dropped };
    }
    const isMaking = this.#making.has(key);
    if (dropped === null && !isMaking) return null;
    const state = isMaking ? "being made" : "absent";
    return { space, state, bytes: null, tags: [], until: null, dropped };
  }

  #find(key: string): Stored<T> | undefined {
    const stored = this.#store.get(key);
    if (stored === undefined || stored.until === null) return stored;
    if (stored.until > this.#clock.now()) return stored;
    this.#store.delete(key);
    this.#noteDrop(key, { reason: "expired" });
    return undefined;
  }

  async #make(
    key: string,
    make: (entry: CacheEntry) => T | Promise<T>,
    signal: AbortSignal,
  ): Promise<Made<T>> {
    const entry: CacheEntry = { tags: new Set(), until: null, private: false, signal };
    const begun = this.#invalidations.begin();
    this.#begun.set(key, begun);
    try {
      const value = await make(entry);
      if (this.#isCurrent(entry, begun))
        this.#put(key, { value, tags: entry.tags, until: entry.until });
      return { value, isPrivate: entry.private, by: make };
    } finally {
      this.#invalidations.end(begun);
      if (this.#begun.get(key) === begun) this.#begun.delete(key);
    }
  }

  #isCurrent({ tags, until, private: isPrivate }: CacheEntry, begun: number): boolean {
    if (isPrivate || (until !== null && until <= this.#clock.now())) return false;
    return !this.#invalidations.hasAnySince(tags, begun);
  }

  #put(key: string, stored: Stored<T>): void {
    this.#store.set(key, stored);
    // A value larger than the space is not taken.
    if (this.#store.peek(key) !== stored) return;
    for (const tag of stored.tags) {
      const keys = this.#byTag.get(tag) ?? new Set();
      keys.add(key);
      this.#byTag.set(tag, keys);
    }
  }

  #unlink(key: string, { tags }: Stored<T>): void {
    for (const tag of tags) {
      const keys = this.#byTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#byTag.delete(tag);
    }
  }

  #noteDrop(key: string, drop: Omit<Drop, "at">): void {
    this.#drops.set(key, { at: this.#clock.now(), ...drop });
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
