/**
 * A map of a limited number of values: the least recently used is dropped first. It holds what lives as
 * long as its owner, and state that clearing the site's caches must not drop; results that can be
 * computed again belong into a space of `site.cache`.
 */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();
  readonly #max: number;

  /** `max`: number of values. */
  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): V | undefined {
    const stored = this.#values.get(key);
    if (stored === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, stored);
    return stored;
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#max) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  /** The value, else the result of `make`, which is stored. */
  getOrInsert(key: string, make: () => V): V {
    const stored = this.get(key);
    if (stored !== undefined) return stored;
    const created = make();
    this.set(key, created);
    return created;
  }

  /** Least recently used first. */
  entries(): Iterable<[key: string, value: V]> {
    return this.#values.entries();
  }
}
