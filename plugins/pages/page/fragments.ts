/** JSON of items, encoded once per item object, because entries are immutable. */
export class Fragments<T extends object> {
  // Not in site.cache: a fragment lives as long as its entry.
  readonly #fragments = new WeakMap<T, string>();
  readonly #toItem: (source: T) => object;

  constructor(toItem: (source: T) => object) {
    this.#toItem = toItem;
  }

  /** The JSON array of `sources`. */
  list(sources: readonly T[]): string {
    let json = "[";
    for (const [at, source] of sources.entries()) json += (at === 0 ? "" : ",") + this.#of(source);
    return `${json}]`;
  }

  /** The item of a source, as an object. */
  item(source: T): object {
    return this.#toItem(source);
  }

  #of(source: T): string {
    const fragment = this.#fragments.get(source);
    if (fragment !== undefined) return fragment;
    const json = JSON.stringify(this.#toItem(source));
    this.#fragments.set(source, json);
    return json;
  }
}
