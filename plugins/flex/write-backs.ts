import type { Logger } from "#kernel";

/** Records that were migrated when they were read, on their way to their files. */
export class WriteBacks {
  readonly #write: (type: string, id: string) => Promise<void>;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<void>>();

  /** `write` puts one record into its file; where it fails the record is migrated again when it is next read. */
  constructor(write: (type: string, id: string) => Promise<void>, log: Logger) {
    this.#write = write;
    this.#log = log;
  }

  /** Writes a record in the background. */
  add(type: string, id: string): void {
    const key = `${type}/${id}`;
    const writing = this.#write(type, id)
      .catch((error: unknown) => {
        this.#log.warn("flex.migration-not-written", { type, id, error: String(error) });
      })
      .finally(() => {
        // A second one of the same record may have begun: it ends after this one.
        if (this.#running.get(key) === writing) this.#running.delete(key);
      });
    this.#running.set(key, writing);
  }

  /** Resolves when a record that is under way is written, or has failed. */
  async settledOf(type: string, id: string): Promise<void> {
    await this.#running.get(`${type}/${id}`);
  }

  /** Resolves when all that are under way are written, or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
