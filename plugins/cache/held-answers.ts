import { LRUCache } from "lru-cache";
import type { CacheStats } from "./contract.js";
import type { HeldAnswer } from "./held-answer.js";

/** How long an invalidation is remembered against answers still being made, in ms. */
const REMEMBER_MS = 120_000;

/** Limits of the store. */
export interface HeldLimits {
  maxEntries: number;
  /** Bytes of all bodies. */
  maxBytes: number;
}

/** The part of the room that addresses with a query string may take. */
const QUERY_SHARE = 0.25;

/**
 * Answers held for anonymous visitors, forgotten by the tags of what they were made from. Addresses
 * with a query string have a part of the room to themselves: however many there are of them, they
 * push out no page.
 */
export class HeldAnswers {
  readonly #plain: LRUCache<string, HeldAnswer> | null;
  readonly #queried: LRUCache<string, HeldAnswer> | null;
  readonly #byTag = new Map<string, Set<string>>();
  readonly #invalidated = new Map<string, number>();
  #clearedAt = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor({ maxEntries, maxBytes }: HeldLimits) {
    const queried = Math.floor(maxEntries * QUERY_SHARE);
    this.#queried = this.#createStore(queried, maxBytes * QUERY_SHARE);
    this.#plain = this.#createStore(maxEntries - queried, maxBytes * (1 - QUERY_SHARE));
  }

  #createStore(max: number, maxSize: number): LRUCache<string, HeldAnswer> | null {
    if (max < 1 || maxSize < 1) return null;
    return new LRUCache<string, HeldAnswer>({
      max,
      maxSize: Math.floor(maxSize),
      sizeCalculation: ({ size }) => Math.max(1, size),
      dispose: (held, _key, reason) => {
        if (reason === "evict") this.#evictions += 1;
        this.#unlink(held);
      },
    });
  }

  #storeOf(key: string): LRUCache<string, HeldAnswer> | null {
    return key.includes("?") ? this.#queried : this.#plain;
  }

  /** The held answer of a key while it is true at `now` (Unix ms). */
  get(key: string, now: number): HeldAnswer | undefined {
    const store = this.#storeOf(key);
    const held = store?.get(key);
    if (held && held.expiresAt > now) {
      this.#hits += 1;
      return held;
    }
    if (held) store?.delete(key);
    return undefined;
  }

  /** Counts a request that could have been answered from here. */
  missed(): void {
    this.#misses += 1;
  }

  /** Keeps an answer, unless something it read has changed since `startedAt` (monotonic ms). */
  put(held: HeldAnswer, startedAt: number): boolean {
    if (this.#clearedAt >= startedAt) return false;
    for (const tag of held.reads) {
      if ((this.#invalidated.get(tag) ?? -1) >= startedAt) return false;
    }
    const store = this.#storeOf(held.key);
    store?.set(held.key, held);
    if (store?.has(held.key) !== true) return false;
    for (const tag of held.reads) {
      const keys = this.#byTag.get(tag) ?? new Set();
      keys.add(held.key);
      this.#byTag.set(tag, keys);
    }
    return true;
  }

  /** Forgets every answer made from one of `tags`; returns their keys. */
  invalidate(tags: Iterable<string>): string[] {
    const at = performance.now();
    this.#forgetOld(at);
    const forgotten = new Set<string>();
    for (const tag of tags) {
      this.#invalidated.set(tag, at);
      for (const key of this.#byTag.get(tag) ?? []) forgotten.add(key);
    }
    for (const key of forgotten) this.#storeOf(key)?.delete(key);
    return [...forgotten];
  }

  clear(): string[] {
    const keys = this.#stores.flatMap((store) => [...store.keys()]);
    this.#clearedAt = performance.now();
    for (const store of this.#stores) store.clear();
    return keys;
  }

  stats(): CacheStats {
    const asked = this.#hits + this.#misses;
    return {
      entries: this.#stores.reduce((sum, { size }) => sum + size, 0),
      hits: this.#hits,
      misses: this.#misses,
      hitRate: asked === 0 ? null : this.#hits / asked,
      evictions: this.#evictions,
      bytes: this.#stores.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0),
    };
  }

  get #stores(): LRUCache<string, HeldAnswer>[] {
    return [this.#plain, this.#queried].filter((store) => store !== null);
  }

  /** Called before a newer answer under the same key is linked. */
  #unlink(held: HeldAnswer): void {
    for (const tag of held.reads) {
      const keys = this.#byTag.get(tag);
      keys?.delete(held.key);
      if (keys?.size === 0) this.#byTag.delete(tag);
    }
  }

  #forgetOld(at: number): void {
    for (const [tag, then] of this.#invalidated) {
      if (at - then > REMEMBER_MS) this.#invalidated.delete(tag);
    }
  }
}
