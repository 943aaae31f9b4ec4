interface Entry<T> {
  readonly result: Promise<T>;
  readonly abandon: AbortController;
  waiters: number;
}

/** Shares work by key: concurrent callers join running work instead of starting it again. */
export class SingleFlight<T> {
  readonly #entries = new Map<string, Entry<T>>();

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Later callers start the work of `key` again; current waiters keep theirs. */
  detach(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * The result of the running work for `key`, or of `work`, started now. The signal of `work` is aborted
   * once every waiter has left.
   */
  join(
    key: string,
    work: (abandoned: AbortSignal) => Promise<T>,
    leave?: AbortSignal,
  ): { result: Promise<T>; isFirst: boolean } {
    const running = this.#entries.get(key);
    const entry = running ?? this.#start(key, work);
    entry.waiters += 1;
    const result = leave === undefined ? entry.result : this.#wait(key, entry, leave);
    return { result, isFirst: running === undefined };
  }

  #start(key: string, work: (abandoned: AbortSignal) => Promise<T>): Entry<T> {
    const abandon = new AbortController();
    const entry: Entry<T> = { result: work(abandon.signal), abandon, waiters: 0 };
    this.#entries.set(key, entry);
    const end = (): void => this.#end(key, entry);
    entry.result.then(end, end);
    return entry;
  }

  #end(key: string, entry: Entry<T>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  async #wait(key: string, entry: Entry<T>, leave: AbortSignal): Promise<T> {
    const onLeave = (): void => {
      entry.waiters -= 1;
      if (entry.waiters > 0) return;
      // Later callers must not join work that is being abandoned.
      this.#end(key, entry);
      entry.abandon.abort();
    };
    if (leave.aborted) onLeave();
    leave.addEventListener("abort", onLeave, { once: true });
    try {
      return await entry.result;
    } finally {
      leave.removeEventListener("abort", onLeave);
    }
  }
}
