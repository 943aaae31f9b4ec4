/**
 * A mutex per key within this process: work under one key runs one after another, in order of arrival.
 * Among processes: `FileLock` for one piece of work, `ProcessLock` for as long as a process runs.
 */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work under `key`; passes on its result or error. */
  async run<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }

  /** Runs `work` after all earlier work under each of `keys`; later work under any of them waits for it. */
  async runAll<T>(keys: readonly string[], work: () => T | Promise<T>): Promise<T> {
    const distinct = [...new Set(keys)];
    const earlier = distinct.flatMap((key) => this.#tails.get(key) ?? []);
    const before = Promise.allSettled(earlier);
    const mine = before.then(work);
    for (const key of distinct) this.#tails.set(key, mine);
    try {
      return await mine;
    } finally {
      for (const key of distinct) if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }
}
