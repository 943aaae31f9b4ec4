/** Changes of several files as one step, which a killed process does not leave half done. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, lstat, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { z } from "zod";
import { KeyedLock } from "#lib/concurrency";
import { errorCode, isDiskFull } from "#lib/errors";
import { parseJson } from "#lib/values";
import {
  addName,
  atomicWrite,
  isAbsent,
  makeFolder,
  namesIn,
  syncFile,
  syncFolder,
  temporaryBeside,
} from "./files.js";
import { isAlive, ProcessLock, readHolder } from "./process-lock.js";

const JOURNAL = "journal.json";
const OWNER = "owner.lock";
/** A folder without a journal and a known owner is left alone this long, in ms: its step may be about to begin. */
const YOUNG_MS = 60_000;

const hash = z.string();
const inRoot = z.string().refine((path) => !isAbsolute(path) && !path.split(sep).includes(".."));
const journalShape = z.object({
  format: z.literal(1),
  name: z.string(),
  recovery: z.enum(["undo", "finish"]),
  /** True: nothing follows these changes, so that the step is done when all of them are. */
  isLast: z.boolean(),
  /** In order. Paths are relative to the root. */
  moves: z.array(z.object({ path: inRoot, to: inRoot })),
  /** Written and removed files, by their path before all moves. */
  files: z.array(
    z.object({
      path: inRoot,
      /** True: the path was free because a move of the step had left it; it is the path after all moves. */
      isFresh: z.boolean(),
      /** Null: there was no file. `copy`: the name of the former version beside the journal; null when finished. */
      before: z.object({ hash, copy: z.string().regex(/^\d+$/).nullable() }).nullable(),
      /** What the step makes of it, in order; null: it is removed. */
      after: z.array(hash.nullable()),
    }),
  ),
  /** Folders that did not exist before, parents first. */
  folders: z.array(inRoot),
});
type Journal = z.infer<typeof journalShape>;
type FileEntry = Journal["files"][number];
type MoveEntry = Journal["moves"][number];

/** A change that is about to be made; absolute paths. A move is of a file or a folder, to a path that is free. */
export type FileChange =
  | { readonly op: "write"; readonly path: string; readonly bytes: string | Buffer }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move"; readonly path: string; readonly to: string };

/** The place of the steps of a site. */
export interface FileStepsOptions {
  /** Absolute folder of the journals, on the disk of the files if possible: copies are then hard links. */
  readonly folder: string;
  /** Absolute. Journals name files relative to it, so that a root can be moved. */
  readonly root: string;
  /** Absolute folder that stays when it becomes empty. */
  readonly top: string;
}

/** What became of a step that a killed process left open. */
export interface RecoveredStep {
  /** What the step was: `move`. */
  readonly name: string;
  /** `blocked`: a file is neither as before nor as the step left it. Nothing was changed then. */
  readonly outcome: "finished" | "undone" | "blocked";
  /** The files and folders of the step, or those in the way; relative to the root. */
  readonly paths: readonly string[];
  /** Absolute folder of the journal and of the former versions; it remains while the step is blocked. */
  readonly journal: string;
}

/**
 * The steps of a site root. What a step changes is in a journal before it is changed; what a killed process
 * leaves open, `recover` brings to an end:
 *
 * - a step whose changes are all made is finished;
 * - one that only removes files is finished, unless it is part of another one;
 * - any other is undone: the former files and folders are back, so that the same request can be made again.
 *
 * A step that a running process works on is not touched: each has a `ProcessLock`.
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

  /**
   * Finishes or undoes what killed processes left. Call it while nothing else writes the files. Costs one look at
   * the folder when there is nothing. @throws errors of the disk.
   */
  async recover(): Promise<readonly RecoveredStep[]> {
    const recovered: RecoveredStep[] = [];
    const { folder } = this.#options;
    for (const name of (await namesIn(folder)).toSorted()) {
      const at = join(folder, name);
      const journal = await readJournal(at);
      if (journal === null) {
        await removeUnused(at);
        continue;
      }
      if (journal === "damaged") {
        recovered.push({ name: "unknown", outcome: "blocked", paths: [], journal: at });
        continue;
      }
      const lock = await ProcessLock.tryAcquire(join(at, OWNER), {});
      if (lock === null) continue;
      try {
        const step = await recoverStep(at, journal, this.#options);
        recovered.push(step);
        if (step.outcome !== "blocked") await removeJournal(at, lock);
      } finally {
        lock.release();
      }
    }
    return recovered;
  }
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
      await removeJournal(this.#folder, this.#lock);
    } catch (error) {
      // The next start finds that the step is finished, and removes its journal.
      if (!this.#journal.isLast) throw error;
    } finally {
      this.#lock?.release();
    }
  }

  async #write(changes: readonly FileChange[]): Promise<void> {
    const file = join(this.#folder, JOURNAL);
    this.#lock ??= await ProcessLock.tryAcquire(join(this.#folder, OWNER), {});
    const copies = this.#copies;
    const earlier = [...this.#journal.moves];
    for (const change of changes) await this.#add(change, earlier);
    if (this.#copies > copies) await syncFolder(this.#folder);
    await atomicWrite(file, JSON.stringify(this.#journal));
    if (copies === 0) await syncFolder(this.#options.folder);
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

/** The path after moves. */
function forwards(path: string, moves: readonly MoveEntry[]): string {
  return moves.reduce((at, move) => renamed(at, move.path, move.to), path);
}

/** The path before moves. */
function backwards(path: string, moves: readonly MoveEntry[]): string {
  return moves.reduceRight((at, move) => renamed(at, move.to, move.path), path);
}

function renamed(path: string, from: string, to: string): string {
  if (path === from) return to;
  return path.startsWith(from + sep) ? to + path.slice(from.length) : path;
}

/** A file of a step as it is on the disk. */
interface FoundFile {
  readonly entry: FileEntry;
  /** Its path now, relative to the root. */
  readonly at: string;
  readonly state: "before" | "after" | "other";
  /** True: the step does nothing more to it. */
  readonly isDone: boolean;
}

/** The state of a step on the disk. */
interface StepState {
  /** Those that were made, in order. */
  readonly moved: readonly MoveEntry[];
  readonly files: readonly FoundFile[];
  /** Relative to the root. */
  readonly conflicts: readonly string[];
}

async function recoverStep(
  journalFolder: string,
  journal: Journal,
  options: FileStepsOptions,
): Promise<RecoveredStep> {
  const { root } = options;
  const state = await stateOf(journal, root);
  const { moved, files, conflicts } = state;
  const changed = files.filter((file) => file.state === "after").map(({ at }) => at);
  const paths = [...moved.flatMap(({ path, to }) => [path, to]), ...changed];
  const step = { name: journal.name, paths, journal: journalFolder };
  const isDone = moved.length === journal.moves.length && files.every((file) => file.isDone);
  if (journal.isLast && isDone) return { ...step, outcome: "finished" };
  if (conflicts.length > 0) return { ...step, outcome: "blocked", paths: conflicts };
  if (journal.recovery === "finish") {
    await finish(state, options);
    return { ...step, outcome: "finished", paths: files.map(({ at }) => at) };
  }
  try {
    await undo(journalFolder, journal, state, root);
  } catch (error) {
    // A folder is in the way of one that was moved.
    if (!["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errorCode(error))) throw error;
    return { ...step, outcome: "blocked" };
  }
  return { ...step, outcome: "undone" };
}

async function stateOf(journal: Journal, root: string): Promise<StepState> {
  const conflicts: string[] = [];
  const moved: MoveEntry[] = [];
  const moves = new UndoneMoves(root);
  const find = async (entry: FileEntry, at: string): Promise<FoundFile> => {
    const digest = await digestFile(join(root, at));
    const state = stateOfFile(entry, digest);
    // Another file at a path that a move leaves is in the way of that move, or has not moved yet.
    if (state === "other" && !entry.isFresh) conflicts.push(at);
    return { entry, at, state, isDone: digest === entry.after.at(-1) };
  };
  const files: FoundFile[] = [];
  for (const entry of journal.files.filter(({ isFresh }) => isFresh)) {
    const file = await find(entry, entry.path);
    files.push(file);
    if (file.state === "after") moves.free(entry.path, journal.moves);
  }
  const made: MoveEntry[] = [];
  for (const move of journal.moves.toReversed()) {
    const [from, to] = [await moves.exists(move.path), await moves.exists(move.to)];
    if (!to) continue;
    made.unshift(move);
    if (from) conflicts.push(move.path);
    else {
      moved.unshift(move);
      moves.undo(move);
    }
  }
  for (const entry of journal.files.filter(({ isFresh }) => !isFresh)) {
    files.push(await find(entry, forwards(entry.path, made)));
  }
  return { moved, files, conflicts };
}

function stateOfFile(
  { before, after }: FileEntry,
  digest: string | null | undefined,
): FoundFile["state"] {
  if (digest === undefined) return "other";
  if (digest === (before?.hash ?? null)) return "before";
  return after.includes(digest) ? "after" : "other";
}

/** The disk as it would be without the moves that were looked at. */
class UndoneMoves {
  readonly #root: string;
  readonly #present = new Set<string>();
  readonly #absent = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Treats the path of a new file as free, up to the folder that a move left. */
  free(path: string, moves: readonly MoveEntry[]): void {
    const left = (at: string): boolean => moves.some((move) => renamed(at, move.path, "") !== at);
    for (let at = path; left(at); at = dirname(at)) this.#absent.add(at);
  }

  undo({ path, to }: MoveEntry): void {
    this.#present.add(path);
    this.#absent.delete(path);
    this.#absent.add(to);
    this.#present.delete(to);
  }

  exists(path: string): Promise<boolean> | boolean {
    if ([...this.#present].some((one) => one === path || one.startsWith(path + sep))) return true;
    return this.#absent.has(path) ? false : exists(join(this.#root, path));
  }
}

async function finish({ files }: StepState, { root, top }: FileStepsOptions): Promise<void> {
  for (const { at } of files) {
    const file = join(root, at);
    await rm(file, { force: true });
    for (let folder = dirname(file); folder.startsWith(top + sep); folder = dirname(folder)) {
      if (!(await removeEmpty(folder))) break;
    }
  }
  await syncParents(files.map(({ at }) => join(root, at)));
}

/** Brings the former files and folders back; safe to repeat. */
async function undo(
  journalFolder: string,
  journal: Journal,
  { moved, files }: StepState,
  root: string,
): Promise<void> {
  const touched: string[] = [];
  for (const { entry, state } of files.filter((file) => file.entry.isFresh)) {
    if (state !== "after") continue;
    await rm(join(root, entry.path), { force: true });
    for (let at = dirname(entry.path); at !== "."; at = dirname(at)) {
      if (!moved.some(({ path }) => renamed(at, path, "") !== at)) break;
      if (!(await removeEmpty(join(root, at)))) break;
    }
  }
  for (const { path, to } of moved.toReversed()) {
    await makeFolder(dirname(join(root, path)), "shared");
    await rename(join(root, to), join(root, path));
    touched.push(join(root, path), join(root, to));
  }
  for (const { entry, state } of files) {
    if (state === "before" || entry.isFresh) continue;
    const file = join(root, entry.path);
    const copy = entry.before?.copy ?? null;
    if (copy === null) await rm(file, { force: true });
    else await putBack(join(journalFolder, copy), file);
    touched.push(file);
  }
  for (const folder of journal.folders.toReversed()) await removeEmpty(join(root, folder));
  await syncParents(touched);
}

/** The copy stays until the journal is gone: the step may be undone once more. */
async function putBack(copy: string, file: string): Promise<void> {
  await makeFolder(dirname(file), "shared");
  const temporary = temporaryBeside(file);
  try {
    await link(copy, temporary);
  } catch {
    // Another disk, or one without hard links.
    await copyFile(copy, temporary);
    await syncFile(temporary);
  }
  await rename(temporary, file);
}

async function syncParents(paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map(dirname))) {
    if (await exists(folder)) await syncFolder(folder);
  }
}

async function removeEmpty(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
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

/** Null: none, or the folder has gone. */
async function readJournal(folder: string): Promise<Journal | "damaged" | null> {
  try {
    const text = await readFile(join(folder, JOURNAL), "utf8");
    return journalShape.safeParse(parseJson(text)).data ?? "damaged";
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function digestOf(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Null for a missing file, undefined for what is no file. */
async function digestFile(path: string): Promise<string | null | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined;
    const digest = createHash("sha256");
    for await (const chunk of createReadStream(path)) digest.update(chunk);
    return digest.digest("hex");
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
