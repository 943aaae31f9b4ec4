import type { Logger } from "#kernel";

/** Writes records that were migrated on read back to their files. */
export class WriteBacks {
  readonly #write: (type: string, id: string) => Promise<void>;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<void>>();

  /** `write` writes one record; after a failure the record is migrated again on the next read. */
  constructor(write: (type: string, id: string) => Promise<void>, log: Logger) {
    this.#write = write;
    this.#log = log;
  }

  /** Writes a record in the background. */
  add(type: string, id: string): void {
    const key = `${type}/${id}`;
    const writing = this.#write(type, id)
      .catch((error: unknown) => {
        this.#log.warn("flex.migration_not_written", { type, id, error: String(error) });
      })
      .finally(() => {
        // A later write of the same record may be running; it finishes after this one.
        if (this.#running.get(key) === writing) this.#running.delete(key);
      });
    this.#running.set(key, writing);
  }

  /** Resolves when a pending write of the record has finished or failed. */
  async settledOf(type: string, id: string): Promise<void> {
    await this.#running.get(`${type}/${id}`);
  }

  /** Resolves when all pending writes have finished or failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
