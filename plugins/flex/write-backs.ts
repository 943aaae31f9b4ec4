import type { Logger } from "#kernel";

/** Records that were migrated when they were read, on their way to their files. */
export class WriteBacks {
  readonly #write: (type: string, id: string) => Promise<void>;
  readonly #log: Logger;
  readonly #running = new Set<Promise<void>>();

  /** `write` puts one record into its file; where it fails the record is migrated again when it is next read. */
  constructor(write: (type: string, id: string) => Promise<void>, log: Logger) {
    this.#write = write;
    this.#log = log;
  }

  /** Writes a record in the background. */
  add(type: string, id: string): void {
    const writing = this.#write(type, id)
      .catch((error: unknown) => {
        this.#log.warn("flex.migration-not-written", { type, id, error: String(error) });
      })
      .finally(() => void this.#running.delete(writing));
    this.#running.add(writing);
  }

  /** Resolves when all that are under way are written, or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
