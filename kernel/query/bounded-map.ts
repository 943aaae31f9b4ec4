/** A map that computes missing values and evicts its oldest entries. */
export class BoundedMap<V> {
  // Not in site.cache: indexes live and die with the list that they describe.
  readonly #values = new Map<string, V>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, compute: () => V): V {
    const found = this.#values.get(key);
    if (found === undefined) return this.#add(key, compute());
    this.#values.delete(key);
    this.#values.set(key, found);
    return found;
  }

  #add(key: string, value: V): V {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }
}
