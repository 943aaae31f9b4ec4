import type { Sliced } from "#lib/concurrency";
/** Persistent maps: each state shares unchanged entries, so a change costs only its own size. */

/** Changes layered on a base before everything is copied into a new base. */
const MAX_LAID = 256;
/** Entries copied between two pauses. */
const STEP = 500;

/** An immutable map from which others are derived; changed entries come last in iteration. */
export class LayeredMap<V extends object> implements ReadonlyMap<string, V> {
  readonly size: number;
  readonly #base: ReadonlyMap<string, V>;
  /** Entries that differ from the base; null where deleted. */
  readonly #laid: ReadonlyMap<string, V | null>;

  constructor(
    base: ReadonlyMap<string, V>,
    laid: ReadonlyMap<string, V | null> = new Map(),
    size = base.size,
  ) {
    this.#base = base;
    this.#laid = laid;
    this.size = size;
  }

  get(key: string): V | undefined {
    const laid = this.#laid.get(key);
    return laid === undefined ? this.#base.get(key) : (laid ?? undefined);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** The keys with a prefix. */
  beginningWith(start: string): string[] {
    const keys: string[] = [];
    for (const key of this.#base.keys()) {
      if (key.startsWith(start) && !this.#laid.has(key)) keys.push(key);
    }
    for (const [key, value] of this.#laid) {
      if (value !== null && key.startsWith(start)) keys.push(key);
    }
    return keys;
  }

  /** The map with these changes; null deletes a key. */
  *next(changes: ReadonlyMap<string, V | null>): Sliced<LayeredMap<V>> {
    const laid = new Map(this.#laid);
    let { size } = this;
    for (const [key, value] of changes) {
      size += Number(value !== null) - Number(this.has(key));
      laid.set(key, value);
    }
    const next = new LayeredMap(this.#base, laid, size);
    return laid.size <= MAX_LAID ? next : new LayeredMap(yield* next.#copied());
  }

  *#copied(): Sliced<Map<string, V>> {
    const copy = new Map<string, V>();
    for (const [key, value] of this) {
      copy.set(key, value);
      if (copy.size % STEP === 0) yield;
    }
    return copy;
  }

  *entries(): MapIterator<[string, V]> {
    for (const entry of this.#base) if (!this.#laid.has(entry[0])) yield entry;
    for (const [key, value] of this.#laid) if (value !== null) yield [key, value];
  }

  *keys(): MapIterator<string> {
    for (const [key] of this) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(each: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) each(value, key, this);
  }
}
