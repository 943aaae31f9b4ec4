/** Collects paths to re-read: all paths that wait for the same turn result in one generation. */
import type { WriteQueueParts } from "../write/write-queue.js";

/** The queue of paths to re-read. */
export class PathQueue {
  readonly #parts: Pick<WriteQueueParts, "inTurn" | "lookAt">;
  readonly #paths = new Set<string>();
  #next: Promise<void> | null = null;

  constructor(parts: Pick<WriteQueueParts, "inTurn" | "lookAt">) {
    this.#parts = parts;
  }

  /** Resolves when the tree reflects the current state of the paths. */
  add(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#paths.add(path);
    this.#next ??= this.#parts.inTurn(async () => {
      const all = [...this.#paths];
      this.#paths.clear();
      this.#next = null;
      await this.#parts.lookAt(all);
    });
    return this.#next;
  }
}
