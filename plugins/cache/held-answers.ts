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

/** Answers held for anonymous visitors, forgotten by the tags of what they were made from. */
export class HeldAnswers {
  readonly #entries: LRUCache<string, HeldAnswer>;
  readonly #byTag = new Map<string, Set<string>>();
  readonly #invalidated = new Map<string, number>();
  #clearedAt = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor({ maxEntries, maxBytes }: HeldLimits) {
    this.#entries = new LRUCache<string, HeldAnswer>({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: ({ size }) => Math.max(1, size),
      dispose: (held, _key, reason) => {
        if (reason === "evict") this.#evictions += 1;
        this.#unlink(held);
      },
    });
  }

  /** The held answer of a key while it is true at `now` (Unix ms). */
  get(key: string, now: number): HeldAnswer | undefined {
    const held = this.#entries.get(key);
    if (held && held.expiresAt > now) {
      this.#hits += 1;
      return held;
    }
    if (held) this.#entries.delete(key);
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
    this.#entries.set(held.key, held);
    if (!this.#entries.has(held.key)) return false;
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
    for (const key of forgotten) this.#entries.delete(key);
    return [...forgotten];
  }

  clear(): string[] {
    const keys = [...this.#entries.keys()];
    this.#clearedAt = performance.now();
    this.#entries.clear();
    return keys;
  }

  stats(): CacheStats {
    const asked = this.#hits + this.#misses;
    return {
      entries: this.#entries.size,
      hits: this.#hits,
      misses: this.#misses,
      hitRate: asked === 0 ? null : this.#hits / asked,
      evictions: this.#evictions,
      bytes: this.#entries.calculatedSize,
    };
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
