interface Entry<T> {
  readonly value: Promise<T>;
  readonly abort: AbortController;
  waiters: number;
}

/** Work under a key that several callers wait for and that runs once. */
export class SingleFlight<T> {
  readonly #entries = new Map<string, Entry<T>>();

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Callers that come from now on start the work of `key` again; those that wait get the old one's result. */
  detach(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * The result of the work under way for `key`, else of `work`, started now. `work` receives a signal
   * that is aborted when every caller has left; a caller leaves when its own `signal` is aborted, and
   * then gets that signal's reason.
   */
  run(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const entry = this.#entries.get(key) ?? this.#start(key, work);
    entry.waiters += 1;
    return signal === undefined ? entry.value : this.#wait(key, entry, signal);
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const abort = new AbortController();
    const entry: Entry<T> = { value: work(abort.signal), abort, waiters: 0 };
    this.#entries.set(key, entry);
    const end = (): void => this.#end(key, entry);
    entry.value.then(end, end);
    return entry;
  }

  #end(key: string, entry: Entry<T>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  #wait(key: string, entry: Entry<T>, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        entry.waiters -= 1;
        if (entry.waiters === 0) {
          // A later caller must not join work that is being given up.
          this.#end(key, entry);
          entry.abort.abort();
        }
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      const done = (): void => signal.removeEventListener("abort", leave);
      entry.value.then(resolve, reject).finally(done);
    });
  }
}
