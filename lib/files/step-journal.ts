/** The journal of a step on the disk, and what a start makes of one that a killed process left. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, lstat, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";
import { z } from "zod";
import { errorCode } from "#lib/errors";
import { parseJson } from "#lib/values";
import { isAbsent, makeFolder, syncFile, syncFolder, temporaryBeside } from "./files.js";

/** Name of the journal in the folder of its step. */
export const JOURNAL = "journal.json";

const hash = z.string();
const inRoot = z.string().refine((path) => !isAbsolute(path) && !path.split(sep).includes(".."));
const journalShape = z.object({
  format: z.literal(1),
  name: z.string(),
  /** The root whose process made the step; absent in journals of older versions. */
  origin: z.string().optional(),
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
/** A step as its journal has it. */
export type Journal = z.infer<typeof journalShape>;
/** A file that a step writes or removes. */
export type FileEntry = Journal["files"][number];
/** A move of a step; relative to the root. */
export type MoveEntry = Journal["moves"][number];

/** The place of the steps of a site. */
export interface FileStepsOptions {
  /** Absolute folder of the journals, on the disk of the files if possible: copies are then hard links. */
  readonly folder: string;
  /** Absolute. Journals name files relative to it, so that a root can be moved. */
  readonly root: string;
  /** Absolute folder that stays when it becomes empty. Roots that share the journals share its files. */
  readonly top: string;
  /** Names the root among those that share the journals. */
  readonly origin: string;
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

/** The path after moves. */
export function forwards(path: string, moves: readonly MoveEntry[]): string {
  return moves.reduce((at, move) => renamed(at, move.path, move.to), path);
}

/** The path before moves. */
export function backwards(path: string, moves: readonly MoveEntry[]): string {
  return moves.reduceRight((at, move) => renamed(at, move.to, move.path), path);
}

/** The path after one move. */
export function renamed(path: string, from: string, to: string): string {
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

/** Finishes or undoes a step, or leaves it when files have changed since. @throws errors of the disk. */
export async function recoverStep(
  journalFolder: string,
  journal: Journal,
  options: FileStepsOptions,
): Promise<RecoveredStep> {
  const { root } = options;
  const state = await stateOf(journal, options);
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

async function stateOf(
  journal: Journal,
  { root, top, origin }: FileStepsOptions,
): Promise<StepState> {
  /** True for what each root has for itself, such as its configuration. */
  const isElsewhere = (at: string): boolean =>
    (journal.origin ?? origin) !== origin && !join(root, at).startsWith(top + sep);
  const conflicts: string[] = [];
  const moved: MoveEntry[] = [];
  const moves = new UndoneMoves(root);
  const find = async (entry: FileEntry, at: string): Promise<FoundFile> => {
    const digest = await digestFile(join(root, at));
    const state = stateOfFile(entry, digest);
    // Another file at a path that a move leaves is in the way of that move, or has not moved yet.
    if (state === "other" && !entry.isFresh && !isElsewhere(at)) conflicts.push(at);
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
    if (state !== "after" || entry.isFresh) continue;
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

/** Null: none, or the folder has gone. */
export async function readJournal(folder: string): Promise<Journal | "damaged" | null> {
  try {
    const text = await readFile(join(folder, JOURNAL), "utf8");
    return journalShape.safeParse(parseJson(text)).data ?? "damaged";
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** True when there is something at the path, also a broken link. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** The digest of bytes, as `digestFile` computes it. */
export function digestOf(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Null for a missing file, undefined for what is no file. */
export async function digestFile(path: string): Promise<string | null | undefined> {
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
