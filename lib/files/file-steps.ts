/** Changes of several files as one step, which a killed process does not leave half done. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { KeyedLock } from "#lib/concurrency";
import { errorCode, isDiskFull } from "#lib/errors";
import { addName, atomicWrite, makeFolder, namesIn, syncFolder } from "./files.js";
import { isAlive, ProcessLock, readHolder } from "./process-lock.js";
import {
  backwards,
  digestFile,
  digestOf,
  exists,
  type FileEntry,
  type FileStepsOptions,
  forwards,
  JOURNAL,
  type Journal,
  type MoveEntry,
  readJournal,
  type RecoveredStep,
  recoverStep,
  renamed,
} from "./step-journal.js";

const OWNER = "owner.lock";
/** Git leaves the journals out, also where their folder is in its work tree. */
const IGNORED = ".gitignore";
/** The code of a step whose process was taken for dead. */
const TAKEN_OVER = "ESTALE";
/** A folder without a journal and a known owner is left alone this long, in ms: its step may be about to begin. */
const YOUNG_MS = 60_000;

/** A change that is about to be made; absolute paths. A move is of a file or a folder, to a path that is free. */
export type FileChange =
  | { readonly op: "write"; readonly path: string; readonly bytes: string | Buffer }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move"; readonly path: string; readonly to: string };

/**
 * The steps of a site root. What a step changes is in a journal before it is changed; what a killed process
 * leaves open, `recover` brings to an end:
 *
 * - a step whose changes are all made is finished;
 * - one that only removes files is finished, unless it is part of another one;
 * - any other is undone: the former files and folders are back, so that the same request can be made again.
 *
 * A step that a running process works on is not touched: each has a `ProcessLock`. Several roots may share the
 * files and the journals: any of them recovers what the others left.
 */
export class FileSteps {
  readonly #options: FileStepsOptions;

  constructor(options: FileStepsOptions) {
    this.#options = options;
  }

  /**
   * Runs `work`, whose `recordInStep` calls make one step. Within another step, `work` is a part of it. An error
   * of `work` ends the step with the changes that were made.
   * @throws the error of `work`.
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (openStep() !== null) return work();
    const step = new FileStep(name, this.#options);
    return steps.run(step, async () => {
      try {
        return await work();
      } finally {
        await step.end();
      }
    });
  }

  /** True while there are journals, of any process. @throws errors of the disk. */
  async areOpen(): Promise<boolean> {
    return (await this.#names()).length > 0;
  }

  async #names(): Promise<string[]> {
    const names = await namesIn(this.#options.folder);
    return names.filter((name) => name !== IGNORED).toSorted();
  }

  /**
   * Takes over the steps whose processes have ended, for `recover`; those of running ones are left alone. Waits up to
   * five seconds for a sign of life of a process on another machine. Costs one look at the folder when there is
   * nothing. `without`: absolute folders of journals to leave. @throws errors of the disk.
   */
  async takeOver(without: ReadonlySet<string> = new Set()): Promise<readonly AbandonedStep[]> {
    const abandoned: AbandonedStep[] = [];
    for (const name of await this.#names()) {
      const journal = join(this.#options.folder, name);
      if (without.has(journal)) continue;
      if ((await readJournal(journal)) === null) {
        await removeUnused(journal);
        continue;
      }
      const lock = await ProcessLock.tryAcquire(join(journal, OWNER), {});
      if (lock !== null) abandoned.push({ journal, lock });
    }
    return abandoned;
  }

  /**
   * Finishes or undoes what killed processes left. Call it while nothing else writes the files. `abandoned`: from
   * `takeOver`, which it calls by default. @throws errors of the disk.
   */
  async recover(abandoned?: readonly AbandonedStep[]): Promise<readonly RecoveredStep[]> {
    const recovered: RecoveredStep[] = [];
    const steps = abandoned ?? (await this.takeOver());
    try {
      for (const { journal, lock } of steps) {
        const step = await readJournal(journal);
        if (step === null) {
          // Its process ended it right before it was taken over.
          lock.release();
          await rm(journal, { recursive: true, force: true });
        } else if (step === "damaged") {
          recovered.push({ name: "unknown", outcome: "blocked", paths: [], journal });
        } else {
          const done = await recoverStep(journal, step, this.#options);
          recovered.push(done);
          if (done.outcome !== "blocked") await removeJournal(journal, lock);
        }
      }
    } finally {
      for (const { lock } of steps) lock.release();
    }
    return recovered;
  }
}

/** A step whose process has ended; no other process recovers it. */
export interface AbandonedStep {
  /** Absolute folder of its journal. */
  readonly journal: string;
  readonly lock: ProcessLock;
}

const steps = new AsyncLocalStorage<FileStep | null>();

function openStep(): FileStep | null {
  const step = steps.getStore() ?? null;
  return step?.hasEnded === true ? null : step;
}

/** `work` as a part of the step that the caller is in now, or of none: for work that a queue runs later. */
export function boundToStep<T>(work: () => Promise<T>): () => Promise<T> {
  const step = openStep();
  return () => steps.run(step, work);
}

/** How changes belong to their step. */
export interface RecordOptions {
  /** True: they are all changes of a step that their caller began. */
  readonly isWhole?: boolean;
}

/** True while the caller is a part of a step. */
export function isInStep(): boolean {
  return openStep() !== null;
}

/**
 * Journals changes that the caller is about to make, in the step that it is a part of; does nothing without one.
 * Every writer whose files belong to steps calls it right before it writes. @throws errors of the disk.
 */
export async function recordInStep(
  changes: readonly FileChange[],
  options: RecordOptions = {},
): Promise<void> {
  await openStep()?.record(changes, options);
}

/**
 * Runs `work` as the last change of the step, once, with the values of all calls that pass it; at once without a
 * step. For what cannot be undone, such as a file that the process has read: when it is written, the step is done.
 */
export async function atEndOfStep<T>(
  work: (values: readonly T[]) => Promise<void>,
  value: T,
): Promise<void> {
  const step = openStep();
  if (step === null) await work([value]);
  else step.addLast(work, value);
}

/** One step: its journal, and the former versions of its files. */
class FileStep {
  readonly #options: FileStepsOptions;
  readonly #folder: string;
  readonly #journal: Journal;
  readonly #last = new Map<unknown, { values: unknown[]; run(): Promise<void> }>();
  readonly #queue = new KeyedLock();
  #lock: ProcessLock | null = null;
  #copies = 0;
  hasEnded = false;

  constructor(name: string, options: FileStepsOptions) {
    this.#options = options;
    this.#folder = join(options.folder, randomUUID());
    this.#journal = {
      format: 1,
      name,
      origin: options.origin,
      recovery: "undo",
      isLast: false,
      moves: [],
      files: [],
      folders: [],
    };
  }

  /** @throws errors of the disk. */
  record(changes: readonly FileChange[], options: RecordOptions): Promise<void> {
    return this.#queue.run("record", () => this.#record(changes, options));
  }

  async #record(changes: readonly FileChange[], { isWhole = false }: RecordOptions): Promise<void> {
    if (changes.length === 0) return;
    const journal = this.#journal;
    const isFinished = isWhole && changes.every(({ op }) => op === "remove");
    journal.isLast ||= isWhole;
    if (isFinished) journal.recovery = "finish";
    try {
      await this.#write(changes);
    } catch (error) {
      // Removing files frees the space that a journal needs.
      if (!isFinished || !isDiskFull(errorCode(error))) throw error;
    }
  }

  addLast<T>(work: (values: readonly T[]) => Promise<void>, value: T): void {
    const waiting = this.#last.get(work);
    if (waiting !== undefined) {
      waiting.values.push(value);
      return;
    }
    const values: T[] = [value];
    this.#last.set(work, { values, run: () => work(values) });
  }

  /** Runs the last work, and removes the journal: from now on nothing is undone. @throws errors of the disk. */
  async end(): Promise<void> {
    try {
      this.#assertHeld();
      for (const [work, { run }] of this.#last) {
        this.#last.delete(work);
        this.#journal.isLast = this.#last.size === 0;
        await run();
      }
    } finally {
      this.hasEnded = true;
      if (this.#lock !== null) await this.#remove();
    }
  }

  async #remove(): Promise<void> {
    try {
      this.#assertHeld();
      await removeJournal(this.#folder, this.#lock);
    } catch (error) {
      // The next start finds that the step is finished, and removes its journal.
      if (!this.#journal.isLast || errorCode(error) === TAKEN_OVER) throw error;
    } finally {
      this.#lock?.release();
    }
  }

  /** @throws ESTALE when another process took this one for dead, and recovers the step. */
  #assertHeld(): void {
    if (this.#lock?.isHeld() !== false) return;
    const message = `another process has taken over the step ${JSON.stringify(this.#journal.name)}`;
    throw Object.assign(new Error(message), { code: TAKEN_OVER });
  }

  async #write(changes: readonly FileChange[]): Promise<void> {
    const file = join(this.#folder, JOURNAL);
    this.#assertHeld();
    this.#lock ??= await this.#begin();
    const copies = this.#copies;
    const earlier = [...this.#journal.moves];
    for (const change of changes) await this.#add(change, earlier);
    if (this.#copies > copies) await syncFolder(this.#folder);
    await atomicWrite(file, JSON.stringify(this.#journal));
    if (copies === 0) await syncFolder(this.#options.folder);
  }

  async #begin(): Promise<ProcessLock | null> {
    const { folder } = this.#options;
    await makeFolder(folder);
    await writeFile(join(folder, IGNORED), "*\n", { flag: "wx" }).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    return ProcessLock.tryAcquire(join(this.#folder, OWNER), {});
  }

  /** `earlier`: the moves that have been made. */
  async #add(change: FileChange, earlier: readonly MoveEntry[]): Promise<void> {
    const { moves, files } = this.#journal;
    if (change.op === "move") {
      const [path, to] = [this.#name(change.path), this.#name(change.to)];
      await this.#addFolders(to);
      moves.push({ path, to });
      return;
    }
    const now = this.#name(change.path);
    const path = backwards(now, moves);
    const isFresh = path === now && moves.some((move) => renamed(now, move.path, "") !== now);
    const after = change.op === "remove" ? null : digestOf(change.bytes);
    const known = files.find((one) => one.path === path && one.isFresh === isFresh);
    if (known !== undefined) {
      known.after.push(after);
      return;
    }
    const before = isFresh ? null : await this.#keep(path, earlier);
    files.push({ path, isFresh, before, after: [after] });
    if (change.op === "write") await this.#addFolders(path);
  }

  /** Keeps the file as it is before the step. */
  async #keep(path: string, earlier: readonly MoveEntry[]): Promise<FileEntry["before"]> {
    const { root } = this.#options;
    const places = [...new Set([forwards(path, earlier), path])];
    for (const place of places) {
      const digest = await digestFile(join(root, place));
      if (typeof digest !== "string") continue;
      if (this.#journal.recovery === "finish") return { hash: digest, copy: null };
      const copy = String(this.#copies);
      this.#copies += 1;
      await addName(join(root, place), join(this.#folder, copy));
      return { hash: digest, copy };
    }
    return null;
  }

  async #addFolders(path: string): Promise<void> {
    const { folders } = this.#journal;
    const missing: string[] = [];
    for (let at = dirname(path); at !== "." && at !== sep; at = dirname(at)) {
      if (folders.includes(at) || (await exists(join(this.#options.root, at)))) break;
      missing.unshift(at);
    }
    folders.push(...missing);
  }

  #name(path: string): string {
    return relative(this.#options.root, path);
  }
}

/** The journal first, and for good: a step without one has ended. */
async function removeJournal(folder: string, lock: ProcessLock | null): Promise<void> {
  await rm(join(folder, JOURNAL), { force: true });
  await syncFolder(folder);
  // Its heartbeat would write to the folder.
  lock?.release();
  await rm(folder, { recursive: true, force: true });
}

/** Removes a folder that a process left before its step began, or after it ended. */
async function removeUnused(folder: string): Promise<void> {
  const holder = readHolder(join(folder, OWNER));
  const alive = holder === null ? null : isAlive(holder);
  const stats = alive === null ? await stat(folder).catch(() => null) : null;
  const isOld = stats !== null && Date.now() - stats.mtimeMs > YOUNG_MS;
  if (alive === false || isOld) await rm(folder, { recursive: true, force: true });
}
