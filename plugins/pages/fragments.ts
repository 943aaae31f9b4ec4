/** JSON of items, made once per item object: entries are immutable, so a fragment stays true. */
export class Fragments<T extends object> {
  readonly #made = new WeakMap<T, string>();
  readonly #toItem: (source: T) => unknown;

  constructor(toItem: (source: T) => unknown) {
    this.#toItem = toItem;
  }

  /** The JSON array of `sources`. */
  list(sources: readonly T[]): string {
    let json = "[";
    for (const [at, source] of sources.entries()) json += (at === 0 ? "" : ",") + this.#of(source);
    return `${json}]`;
  }

  #of(source: T): string {
    const known = this.#made.get(source);
    if (known !== undefined) return known;
    const json = JSON.stringify(this.#toItem(source));
    this.#made.set(source, json);
    return json;
  }
}
