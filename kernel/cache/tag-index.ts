/** Which keys were made from a tag. */
export class TagIndex {
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
  keysOf(tags: Iterable<string>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const tag of tags) for (const key of this.#keys.get(tag) ?? []) found.set(key, tag);
    return found;
  }
}
