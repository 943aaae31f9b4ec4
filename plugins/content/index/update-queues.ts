/** Queues what updates the tree: writes of the site itself, and paths that changed outside. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Change, type ChangeActor, HttpError, type WriteLock } from "#kernel";
import { isMissing } from "#lib/errors";

/** Paths whose states after the last writes are known. */
const MAX_PATHS = 2_000;
const MISSING = "missing";
/** Paths of one turn, at least; a save waits for one turn and not for a whole checkout. */
const MIN_PATHS = 500;
/** Turns that many paths are split into, at most: each one builds a generation of all pages. */
const MAX_TURNS = 8;

/** Longest wait of a write for other work on the tree, in ms. */
const MAX_WAIT_MS = 10_000;

/** The files that one call of `apply` wrote. */
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

/** Options of comparing the tree with the disk. */
export interface Rescan {
  /** `file`: by time and size; `hash`: by the bytes. */
  check?: "file" | "hash";
  /** Paths whose files are always read. */
  touched?: readonly string[];
}

/** The tree that the queues update. */
export interface UpdatedTree {
  /** Absolute path of the content folder. */
  root(): string;
  /** Held while files are checked and written. Absent: no other process writes. */
  lock?: () => WriteLock | undefined;
  /** Runs work while nothing else updates the tree. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /** Updates the tree from these paths and publishes the changes. */
  lookAt(paths: readonly string[]): Promise<void>;
  /** Publishes writes that did not change the tree. */
  publish(): Promise<void>;
}

/** Pending writes, and the file states after finished ones. */
export class WriteQueue {
  readonly #tree: UpdatedTree;
  readonly #own = new OwnWrites();
  readonly #waiting: WriteWork[] = [];
  #next: Promise<void> | null = null;
  #unpublished: readonly Write[] = [];

  readonly #maxWaitMs: number;

  /** `maxWaitMs`: longest wait of a write until it begins. */
  constructor(tree: UpdatedTree, maxWaitMs = MAX_WAIT_MS) {
    this.#tree = tree;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Resolves when the tree contains what `work` wrote.
   * @throws ERR_CONTENT_BUSY (503) when other work on the tree took too long; the error of the lock.
   */
  add(work: WriteWork): Promise<void> {
    this.#waiting.push(work);
    this.#next ??= this.#locked();
    const written = this.#next;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const at = this.#waiting.indexOf(work);
        if (at === -1) return;
        this.#waiting.splice(at, 1);
        reject(busy());
      }, this.#maxWaitMs);
      void written.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  async #locked(): Promise<void> {
    const lock = this.#tree.lock?.();
    if (lock === undefined) return this.#tree.inTurn(() => this.#run());
    let hasStarted = false;
    try {
      await lock.run((assertHeld) =>
        this.#tree.inTurn(() => {
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
  echoes(paths: readonly string[]): ReadonlySet<string> {
    if (this.#unpublished.length > 0) return new Set();
    return this.#own.echoes(absolute(this.#tree.root(), paths));
  }

  async #run(): Promise<void> {
    const works = this.#take();
    const writes: Write[] = [];
    for (const work of works) {
      const write = await work();
      if (write !== null) writes.push(write);
    }
    if (writes.length === 0) return;
    const touched = writes.flatMap((write) => write.touched);
    const folders = writes.flatMap((write) => write.folders);
    this.#own.note(absolute(this.#tree.root(), [...touched, ...folders]));
    this.#unpublished = writes;
    try {
      await this.#tree.lookAt(touched);
    } finally {
      // The files are written even if updating the index failed.
      if (this.#unpublished.length > 0) await this.#tree.publish();
    }
  }
}

function busy(): HttpError {
  return new HttpError(503, "the change waited too long for other changes; nothing was written", {
    code: "ERR_CONTENT_BUSY",
    headers: { "Retry-After": "2" },
    fix: "try again",
  });
}

/** Paths that have changed outside; what arrives while they wait joins them. */
export class PathQueue {
  readonly #tree: Pick<UpdatedTree, "inTurn" | "lookAt">;
  readonly #paths = new Set<string>();
  #next: Promise<void> | null = null;

  constructor(tree: Pick<UpdatedTree, "inTurn" | "lookAt">) {
    this.#tree = tree;
  }

  /** Resolves when the tree reflects the current state of the paths. */
  add(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#paths.add(path);
    this.#next ??= this.#run();
    return this.#next;
  }

  /** Compares the tree with the disk; reads the touched paths first, in parts, unless they are the whole tree. */
  async compare(
    { touched = [], ...rest }: Rescan,
    compare: (rest: Rescan) => Promise<boolean>,
  ): Promise<boolean> {
    const isSplit = touched.length > 0 && !touched.includes("");
    if (isSplit) await this.add(touched);
    let differs = false;
    await this.#tree.inTurn(async () => {
      differs = await compare(isSplit ? rest : { ...rest, touched });
    });
    return differs;
  }

  /** Other work of the tree takes its turn between two parts. */
  async #run(): Promise<void> {
    const { inTurn, lookAt } = this.#tree;
    let parts: string[][] = [];
    await inTurn(async () => {
      // Sorted: a folder is looked at before what it contains.
      parts = splitPaths([...this.#paths].toSorted());
      this.#paths.clear();
      this.#next = null;
      await lookAt(parts.shift() ?? []);
    });
    for (const part of parts) await inTurn(() => lookAt(part));
  }
}

function splitPaths(paths: string[]): string[][] {
  const size = Math.max(MIN_PATHS, Math.ceil(paths.length / MAX_TURNS));
  const count = Math.ceil(paths.length / size);
  return Array.from({ length: count }, (_, at) => paths.slice(at * size, (at + 1) * size));
}

/** File states after the last writes. An event for an unchanged state is an echo. */
class OwnWrites {
  readonly #stamps = new Map<string, string>();

  /** Records written, moved and deleted absolute paths. Call it before other readers can see them. */
  note(paths: readonly string[]): void {
    for (const path of paths) {
      this.#stamps.delete(path);
      this.#stamps.set(path, readStamp(path));
    }
    for (const oldest of this.#stamps.keys()) {
      if (this.#stamps.size <= MAX_PATHS) break;
      this.#stamps.delete(oldest);
    }
  }

  /** The paths that are unchanged since the last write. */
  echoes(paths: readonly string[]): ReadonlySet<string> {
    const echoes = new Set<string>();
    for (const path of paths) {
      const noted = this.#stamps.get(path);
      if (noted === undefined) continue;
      if (readStamp(path) === noted) echoes.add(path);
      else this.#stamps.delete(path);
    }
    return echoes;
  }
}

function readStamp(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return isMissing(error) ? MISSING : "unreadable";
  }
}

/** `paths` below `root` as absolute paths. */
function absolute(root: string, paths: Iterable<string>): string[] {
  return [...paths].map((path) => join(root, path));
}
