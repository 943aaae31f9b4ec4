/**
 * Values that are being made, and the tags that were invalidated meanwhile. Exact, and empty while nothing is
 * being made: a value that was begun before an invalidation of one of its tags must not be stored.
 */
export class PendingBuilds {
  /** Grows with each invalidation. */
  #version = 0;
  #clearedAt = 0;
  readonly #byTag = new Map<string, number>();
  /** How many values were begun at a version and are not ready yet. */
  readonly #open = new Map<number, number>();

  get version(): number {
    return this.#version;
  }

  /** The version at which making a value begins; give it back to `end`. */
  begin(): number {
    this.#open.set(this.#version, (this.#open.get(this.#version) ?? 0) + 1);
    return this.#version;
  }

  end(begun: number): void {
    const left = (this.#open.get(begun) ?? 1) - 1;
    if (left > 0) this.#open.set(begun, left);
    else this.#open.delete(begun);
    if (this.#open.size === 0) this.#byTag.clear();
  }

  invalidate(tags: Iterable<string>): void {
    this.#version += 1;
    if (this.#open.size === 0) return;
    for (const tag of tags) this.#byTag.set(tag, this.#version);
  }

  invalidateAll(): void {
    this.#version += 1;
    this.#clearedAt = this.#version;
  }

  /** True when one of `tags` was invalidated after version `begun`. */
  isOutdated(tags: Iterable<string>, begun: number): boolean {
    if (this.#clearedAt > begun) return true;
    for (const tag of tags) if ((this.#byTag.get(tag) ?? 0) > begun) return true;
    return false;
  }
}
