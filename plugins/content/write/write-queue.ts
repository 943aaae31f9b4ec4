/** Queues writes: those that wait for the same turn result in one generation. */
import type { Change, ChangeActor, WriteLock } from "#kernel";
import { absolute, OwnWrites } from "./own-writes.js";

/** What one call of `apply` wrote. */
export interface Write {
  /** Paths to re-read. */
  readonly touched: readonly string[];
  /** Folders created or deleted with them. */
  readonly folders: readonly string[];
  readonly changes: readonly Change<"file">[];
  readonly actor: ChangeActor | null;
  readonly message: string;
  /** Frees the bytes after the changes were delivered. */
  release(): void;
}
/** Writes files; null when nothing was written. Never throws. */
export type WriteWork = () => Promise<Write | null>;

/** The tree that is written to. */
export interface WriteQueueParts {
  /** Absolute path of the content folder. */
  root(): string;
  /** Held while files are checked and written. Absent: no other process writes. */
  lock?: () => WriteLock | undefined;
  /** Runs work while nothing else updates the tree. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /** Updates the tree from these paths and publishes the changes. */
  lookAt(paths: readonly string[]): Promise<void>;
  /** Publishes writes that did not change the tree. */
  publish(): void;
}

/** Pending writes, and the file states after finished ones. */
export class WriteQueue {
  readonly #parts: WriteQueueParts;
  readonly #own = new OwnWrites();
  readonly #waiting: WriteWork[] = [];
  #next: Promise<void> | null = null;
  #unpublished: readonly Write[] = [];

  constructor(parts: WriteQueueParts) {
    this.#parts = parts;
  }

  /** Resolves when the tree contains what `work` wrote. @throws the error of the lock. */
  add(work: WriteWork): Promise<void> {
    this.#waiting.push(work);
    this.#next ??= this.#locked();
    return this.#next;
  }

  async #locked(): Promise<void> {
    const lock = this.#parts.lock?.();
    if (lock === undefined) return this.#parts.inTurn(() => this.#run());
    let hasStarted = false;
    try {
      await lock.run((assertHeld) =>
        this.#parts.inTurn(() => {
          assertHeld();
          hasStarted = true;
          return this.#run();
        }),
      );
    } finally {
      // Nothing was written; later writes try again.
      if (!hasStarted) this.#take();
    }
  }

  #take(): WriteWork[] {
    this.#next = null;
    return this.#waiting.splice(0);
  }

  /** The unpublished writes of this turn; the caller publishes them. */
  take(): readonly Write[] {
    const writes = this.#unpublished;
    this.#unpublished = [];
    return writes;
  }

  /** The absolute paths that are unchanged since an earlier write. */
  async echoes(paths: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#unpublished.length > 0) return new Set();
    return this.#own.echoes(absolute(this.#parts.root(), paths));
  }

  async #run(): Promise<void> {
    const works = this.#take();
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
      // The files are written even if updating the index failed.
      if (this.#unpublished.length > 0) this.#parts.publish();
    }
  }
}
