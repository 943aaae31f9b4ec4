/** Gives writes their turn: those that wait for the same turn make one generation. */
import type { Change, ChangeActor } from "#kernel";
import { absolute, OwnWrites } from "./own-writes.js";

/** What one call of `apply` wrote. */
export interface Write {
  /** Paths to look at again. */
  readonly touched: readonly string[];
  /** Folders that came or went with them. */
  readonly folders: readonly string[];
  readonly changes: readonly Change<"file">[];
  readonly actor: ChangeActor | null;
  readonly message: string;
  /** The changes have been delivered: their bytes are no longer needed. */
  release(): void;
}
/** Writes files; null when nothing was written. Never throws. */
export type WriteWork = () => Promise<Write | null>;

/** The tree that is written to. */
export interface WriteQueueParts {
  /** Absolute path of the content folder. */
  root(): string;
  /** Runs work while nothing else updates the tree. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /** Brings the tree up to date with these paths, and publishes what is new. */
  lookAt(paths: readonly string[]): Promise<void>;
  /** Publishes writes after which the tree is as it was. */
  publish(): void;
}

/** Writes on their way, and what is known of those that are done. */
export class WriteQueue {
  readonly #parts: WriteQueueParts;
  readonly #own = new OwnWrites();
  readonly #waiting: WriteWork[] = [];
  #next: Promise<void> | null = null;
  #unpublished: readonly Write[] = [];

  constructor(parts: WriteQueueParts) {
    this.#parts = parts;
  }

  /** Resolves when the tree holds what `work` wrote. */
  add(work: WriteWork): Promise<void> {
    this.#waiting.push(work);
    this.#next ??= this.#parts.inTurn(() => this.#run());
    return this.#next;
  }

  /** The writes of this turn that nobody has published yet; the caller does. */
  take(): readonly Write[] {
    const writes = this.#unpublished;
    this.#unpublished = [];
    return writes;
  }

  /** Those of the paths that stand as an earlier write left them, absolute. */
  async echoes(paths: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#unpublished.length > 0) return new Set();
    return this.#own.echoes(absolute(this.#parts.root(), paths));
  }

  async #run(): Promise<void> {
    const works = this.#waiting.splice(0);
    this.#next = null;
    const writes: Write[] = [];
    for (const work of works) writes.push(...[await work()].filter((write) => write !== null));
    if (writes.length === 0) return;
    const touched = writes.flatMap((write) => write.touched);
    const folders = writes.flatMap((write) => write.folders);
    await this.#own.note(absolute(this.#parts.root(), [...touched, ...folders]));
    this.#unpublished = writes;
    try {
      await this.#parts.lookAt(touched);
    } finally {
      // The files are written, whatever became of the index.
      if (this.#unpublished.length > 0) this.#parts.publish();
    }
  }
}
