import type { JobRecord } from "../contracts.js";

/** What happens to jobs while the store is read: what was read of them may be out of date. */
export class JobLoading {
  #running: Promise<void> | null = null;
  readonly #ended = new Set<string>();
  #added: JobRecord[] = [];

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Resolves when the store is read. */
  async done(): Promise<void> {
    await this.#running;
  }

  /** Calls during a run share it. `after` gets the jobs that were added meanwhile and have not ended. */
  run(read: () => Promise<void>, after: (added: readonly JobRecord[]) => void): Promise<void> {
    this.#running ??= read().finally(() => {
      this.#running = null;
      const added = this.#added.filter(({ id }) => !this.#ended.has(id));
      this.#added = [];
      this.#ended.clear();
      after(added);
    });
    return this.#running;
  }

  /** Older jobs of its key come first. */
  add(record: JobRecord): void {
    this.#added.push(record);
  }

  /** True for a job that was added during the run. */
  has(id: string): boolean {
    return this.#added.some((record) => record.id === id);
  }

  /** A job ended, or was merged into another one. */
  end(id: string): void {
    if (this.isRunning) this.#ended.add(id);
  }

  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }
}
