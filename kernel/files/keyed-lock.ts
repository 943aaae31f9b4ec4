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
}
