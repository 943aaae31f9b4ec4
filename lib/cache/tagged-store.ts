import { LRUCache } from "lru-cache";
import type { Clock } from "#lib/dates";
import type { CacheDropReason, CacheExplanation, CacheSpaceOptions } from "./contract.js";

/** Overhead of an entry, in bytes. */
const ENTRY_BYTES = 200;
/** Maximum number of keys with a recorded drop, and of characters of all of them, and of one. */
const MAX_DROPS = 1_000;
const MAX_DROPS_LENGTH = 512 * 1_024;
const MAX_DROPPED_KEY = 4 * 1_024;
/** Dropping fewer bytes for idleness does not request a garbage collection. */
const MIN_COLLECTED_BYTES = 8 * 1024 * 1024;

/** A stored value. */
export interface Stored<T> {
  readonly value: T;
  readonly tags: ReadonlySet<string>;
  /** Unix ms. */
  readonly until: number | null;
  /** Unix ms. */
  readonly since: number;
}
interface Drop {
  readonly at: number;
  readonly reason: CacheDropReason;
  readonly tag?: string;
}

/** The values of a space, within its limits, with an index by tag and the reason for each drop. */
export class TaggedStore<T> {
  readonly #options: CacheSpaceOptions<T>;
  readonly #clock: Clock;
  readonly #values: LRUCache<string, Stored<T>>;
  readonly #byTag = new TagIndex();
  /** Keys can be whole documents: without a limit of their length, they outweigh the values. */
  readonly #drops = new LRUCache<string, Drop>({
    maxSize: MAX_DROPS_LENGTH,
    maxEntrySize: MAX_DROPPED_KEY,
    sizeCalculation: (_drop, key) => Math.max(1, key.length),
  });
  readonly #idle: IdleTimer | null;
  readonly #maxEntries: number;
  #evictions = 0;

  constructor(options: CacheSpaceOptions<T>, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    const { maxBytes, maxValueBytes = null, maxEntries = null, idleMs = null } = options;
    this.#idle = idleMs === null ? null : new IdleTimer(() => this.#dropIdle(), idleMs);
    this.#maxEntries = maxEntries ?? Infinity;
    this.#values = new LRUCache<string, Stored<T>>({
      // Every value is larger than one byte, so nothing is stored.
      maxSize: maxEntries === 0 ? 1 : Math.max(1, Math.floor(maxBytes)),
      ...(maxValueBytes !== null && { maxEntrySize: maxValueBytes + ENTRY_BYTES }),
      sizeCalculation: ({ value }, key) => options.sizeOf(value) + key.length + ENTRY_BYTES,
      dispose: (stored, key, reason) => {
        this.#byTag.delete(key, stored.tags);
        if (reason !== "evict") return;
        this.#evictions += 1;
        this.#noteDrop(key, { reason: "evicted" });
      },
    });
  }

  /** The value, unless it has expired. */
  find(key: string): Stored<T> | undefined {
    const stored = this.#values.get(key);
    if (stored === undefined) return undefined;
    if (stored.until === null || stored.until > this.#clock.now()) {
      this.#idle?.used();
      return stored;
    }
    this.#values.delete(key);
    this.#noteDrop(key, { reason: "expired" });
    return undefined;
  }

  put(key: string, entry: Omit<Stored<T>, "since">): void {
    const stored = { ...entry, since: this.#clock.now() };
    this.#values.set(key, stored);
    // Not `max`: it would allocate for every possible entry at once, in each space of each site.
    if (this.#values.size > this.#maxEntries) this.#values.pop();
    // The LRU ignores values larger than the space.
    if (this.#values.peek(key) !== stored) return;
    this.#byTag.add(key, stored.tags);
    this.#idle?.start();
  }

  delete(key: string): void {
    if (this.#values.delete(key)) this.#noteDrop(key, { reason: "cleared" });
  }

  /** Drops every value; returns the keys. */
  drop(reason: CacheDropReason): string[] {
    const keys = [...this.#values.keys()];
    for (const key of keys) this.#noteDrop(key, { reason });
    this.#values.clear();
    return keys;
  }

  #dropIdle(): void {
    const { bytes } = this.stats();
    this.drop("idle");
    if (bytes >= MIN_COLLECTED_BYTES) requestCollection();
  }

  /** Drops the values that depend on one of the tags; returns the keys. */
  dropTagged(tags: readonly string[]): string[] {
    const dropped = this.#byTag.matchingKeys(tags);
    for (const [key, tag] of dropped) {
      this.#values.delete(key);
      this.#noteDrop(key, { reason: "tag", tag });
    }
    return [...dropped.keys()];
  }

  /** Stops the idle timer. */
  close(): void {
    this.#idle?.stop();
  }

  stats(): { entries: number; bytes: number; evictions: number } {
    const { size: entries, calculatedSize: bytes } = this.#values;
    return { entries, bytes, evictions: this.#evictions };
  }

  /** State and last drop of a key. */
  explain(key: string): Omit<CacheExplanation, "space" | "state"> {
    const stored = this.find(key);
    const dropped = this.#drops.get(key) ?? null;
    if (stored === undefined) return { bytes: null, tags: [], since: null, until: null, dropped };
    const { value, tags, since, until } = stored;
    return { bytes: this.#options.sizeOf(value), tags: [...tags], since, until, dropped };
  }

  #noteDrop(key: string, drop: Omit<Drop, "at">): void {
    this.#drops.set(key, { at: this.#clock.now(), ...drop });
    if (this.#drops.size > MAX_DROPS) this.#drops.pop();
  }
}

/** Checks per idle time: `onIdle` runs at most a quarter of it late. */
const CHECKS = 4;

/** Runs `onIdle` once `used` was not called for `idleMs`. `used` only resets a counter, because it runs on every hit. */
class IdleTimer {
  readonly #onIdle: () => void;
  readonly #checkMs: number;
  #quietChecks = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(onIdle: () => void, idleMs: number) {
    this.#onIdle = onIdle;
    this.#checkMs = Math.max(1, Math.ceil(idleMs / CHECKS));
  }

  /** Starts the timer; call it when a value is stored. */
  start(): void {
    this.#quietChecks = 0;
    this.#timer ??= setInterval(() => this.#check(), this.#checkMs).unref();
  }

  used(): void {
    this.#quietChecks = 0;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(): void {
    this.#quietChecks += 1;
    if (this.#quietChecks <= CHECKS) return;
    this.stop();
    this.#onIdle();
  }
}

/** V8 starts to collect when external memory has grown by more than 64 MB since the last collection. */
const BYTES = 96 * 1024 * 1024;

/**
 * Caches that share values become idle shortly after each other: a collection that runs meanwhile
 * keeps what the second one drops, and is over after this time, in ms.
 */
const DELAY_MS = 1_000;

/**
 * Starts an incremental garbage collection soon. An idle process allocates nothing, so V8 would keep
 * dropped values until the next busy time. The buffer is never written, so it takes no memory, but
 * its size counts.
 */
function requestCollection(): void {
  setTimeout(start, DELAY_MS).unref();
}

function start(): void {
  try {
    void new ArrayBuffer(BYTES).byteLength;
  } catch (error) {
    // Too little address space left; V8 has then collected already.
    if (!(error instanceof RangeError)) throw error;
  }
}

/** An index of the keys by the tags that they depend on. */
class TagIndex {
  readonly #keys = new Map<string, Set<string>>();

  add(key: string, tags: Iterable<string>): void {
    for (const tag of tags) {
      const keys = this.#keys.get(tag);
      if (keys === undefined) this.#keys.set(tag, new Set([key]));
      else keys.add(key);
    }
  }

  delete(key: string, tags: Iterable<string>): void {
    for (const tag of tags) {
      const keys = this.#keys.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(tag);
    }
  }

  /** The keys made from one of the tags, each with such a tag. */
  matchingKeys(tags: Iterable<string>): ReadonlyMap<string, string> {
    const matches = new Map<string, string>();
    for (const tag of tags) for (const key of this.#keys.get(tag) ?? []) matches.set(key, tag);
    return matches;
  }
}

/**
 * The bytes, copied when they are a slice of larger memory. Node allocates small buffers in blocks of 8 KB and compressed
 * ones in blocks of 16 KB; caching a slice keeps its whole block.
 */
export function unpooled(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
