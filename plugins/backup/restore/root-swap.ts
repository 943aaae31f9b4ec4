/** Replaces many files of a site root as one step. */
import { existsSync } from "node:fs";
import { lstat, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { errorCode, type SiteError } from "#lib/errors";
import { atomicWrite, makeFolder, syncFolder, addName, moveFile, ProcessLock } from "#lib/files";
import { backupError } from "../errors.js";
import { SWAP_FOLDER, swapJournal } from "./swap-journal.js";

const LOCK = join(".dune", "swap.lock");
/** Bits of a mode that concern other users than the owner. */
const OTHERS = 0o077;
/** Attempts while another process holds the lock, and the pause between them in ms. */
const TRIES = 10;
const PAUSE_MS = 200;

/** The record on disk while files are swapped; paths are relative to the root. */
const inRoot = z
  .string()
  .refine((path) => !isAbsolute(path) && !path.split(/[/\\]/).includes(".."));
const journalShape = z.object({
  /** Files that get a new version; `had`: there was one before. */
  place: z.array(z.object({ path: inRoot, had: z.boolean() })),
  remove: z.array(inRoot),
  /** Folders that the swap creates, parents first. */
  folders: z.array(inRoot),
});
type Journal = z.infer<typeof journalShape>;

/** The files to swap, relative to the root. */
export interface SwapFiles {
  /** Files of the staging folder that replace or add one. */
  readonly place: readonly string[];
  /** Files that are deleted. */
  readonly remove: readonly string[];
}

/**
 * A change of many files of a site root: they are prepared in `staging`, then `apply` puts them in place.
 * Until `apply` resolves, the old files come back: at once after a failure, with the next start of the
 * site after a power failure or a killed process.
 */
export class RootSwap {
  readonly #root: string;
  readonly #lock: ProcessLock;

  private constructor(root: string, lock: ProcessLock) {
    this.#root = root;
    this.#lock = lock;
  }

  /**
   * Begins a change with an empty staging folder. The caller ends it with `close`.
   * @throws ERR_ROOT_SWAP while another process changes the root.
   */
  static async begin(root: string): Promise<RootSwap> {
    const lock = await ProcessLock.acquire(join(root, LOCK), { locked: () => busy() });
    try {
      await undo(root);
      await makeFolder(join(root, SWAP_FOLDER, "new"));
      return new RootSwap(root, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Absolute folder for the new files, at their paths below the root. */
  get staging(): string {
    return join(this.#root, SWAP_FOLDER, "new");
  }

  /**
   * Puts the files in place; `commit` runs last, and its failure brings the old files back. The new files
   * are durable before the first one is replaced.
   * @throws errors of the disk and of `commit`.
   */
  async apply(
    files: SwapFiles,
    commit: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const root = this.#root;
    const journal = await prepare(root, files);
    await atomicWrite(swapJournal(root), JSON.stringify(journal));
    try {
      await exchange(root, journal);
      await commit();
    } catch (error) {
      await undo(root);
      throw error;
    }
    await rm(swapJournal(root), { force: true });
    await syncFolder(join(root, SWAP_FOLDER));
  }

  /** Deletes the staging folder and lets other processes in. */
  async close(): Promise<void> {
    try {
      if (!existsSync(swapJournal(this.#root))) {
        await rm(join(this.#root, SWAP_FOLDER), { recursive: true, force: true });
      }
    } finally {
      this.#lock.release();
    }
  }
}

/**
 * Brings the old files back when a process was killed while it swapped files of this root. Costs one look
 * at the disk otherwise. @throws ERR_ROOT_SWAP while a swap is under way, errors of the disk.
 */
export async function undoInterruptedSwap(root: string): Promise<void> {
  // Workers that start together: one does it, the others wait.
  for (let tries = TRIES; existsSync(swapJournal(root)); tries -= 1) {
    const lock = await ProcessLock.tryAcquire(join(root, LOCK), {});
    if (lock !== null) {
      await undo(root).finally(() => lock.release());
      return;
    }
    if (tries === 0) throw busy();
    await delay(PAUSE_MS);
  }
}

function busy(): SiteError {
  return backupError("ERR_ROOT_SWAP", "another process is replacing files of this site root", {
    fix: "wait until it has ended",
  });
}

/** Keeps the old files by a second name, so that the first one never disappears. */
async function prepare(root: string, { place, remove }: SwapFiles): Promise<Journal> {
  const journal: Journal = { place: [], remove: [...remove], folders: [] };
  const folders = new Set<string>();
  for (const path of place) {
    const had = existsSync(join(root, path));
    if (had) await addName(join(root, path), join(root, SWAP_FOLDER, "old", path));
    for (const folder of missingFolders(root, path)) folders.add(folder);
    journal.place.push({ path, had });
  }
  for (const path of remove) await addName(join(root, path), join(root, SWAP_FOLDER, "old", path));
  journal.folders = [...folders];
  await syncFolders(listFolders(root, "old", journal));
  await syncFolders(listFolders(root, "new", journal));
  return journal;
}

function missingFolders(root: string, path: string): string[] {
  const missing: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) {
    if (existsSync(join(root, at))) break;
    missing.unshift(at);
  }
  return missing;
}

/** Folders of staged files that other users of the machine may read. */
async function sharedFolders(root: string, place: Journal["place"]): Promise<Set<string>> {
  const shared = new Set<string>();
  for (const { path } of place) {
    const { mode } = await lstat(join(root, SWAP_FOLDER, "new", path));
    if ((mode & OTHERS) === 0) continue;
    for (let at = dirname(path); at !== "."; at = dirname(at)) shared.add(at);
  }
  return shared;
}

async function exchange(root: string, { place, remove, folders }: Journal): Promise<void> {
  const shared = await sharedFolders(root, place);
  for (const folder of folders) {
    await makeFolder(join(root, folder), shared.has(folder) ? "shared" : "private");
  }
  for (const { path } of place) {
    await moveFile(join(root, SWAP_FOLDER, "new", path), join(root, path));
  }
  for (const path of remove) await rm(join(root, path), { force: true });
  const changed = [...place.map(({ path }) => path), ...remove];
  await syncFolders(new Set(changed.map((path) => dirname(join(root, path)))));
}

/** Brings the old files back and deletes the staging folder; safe to repeat. */
async function undo(root: string): Promise<void> {
  const journal = await readJournal(root);
  if (journal !== null) {
    for (const { path, had } of journal.place) {
      if (had) await putBack(root, path);
      // Still staged: it was not put in place.
      else if (!(await exists(join(root, SWAP_FOLDER, "new", path)))) {
        await rm(join(root, path), { force: true });
      }
    }
    for (const path of journal.remove) await putBack(root, path);
    for (const folder of journal.folders.toReversed()) {
      await rmdir(join(root, folder)).catch(() => undefined);
    }
    const paths = [...journal.place.map(({ path }) => path), ...journal.remove];
    await syncFolders(new Set(paths.map((path) => dirname(join(root, path)))));
    await rm(swapJournal(root), { force: true });
    await syncFolder(join(root, SWAP_FOLDER));
  }
  await rm(join(root, SWAP_FOLDER), { recursive: true, force: true });
}

async function putBack(root: string, path: string): Promise<void> {
  try {
    await moveFile(join(root, SWAP_FOLDER, "old", path), join(root, path));
  } catch (error) {
    // Brought back by an earlier attempt.
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

async function readJournal(root: string): Promise<Journal | null> {
  try {
    return journalShape.parse(JSON.parse(await readFile(swapJournal(root), "utf8")));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw backupError("ERR_ROOT_SWAP", ".dune/swap/journal.json is damaged", {
      fix: "the files before the change are in .dune/swap/old: put them back, then delete .dune/swap",
      cause: error,
    });
  }
}

function listFolders(root: string, version: "old" | "new", journal: Journal): Set<string> {
  const paths = journal.place.filter(({ had }) => had || version === "new").map(({ path }) => path);
  if (version === "old") paths.push(...journal.remove);
  return new Set(paths.map((path) => dirname(join(root, SWAP_FOLDER, version, path))));
}

async function syncFolders(folders: ReadonlySet<string>): Promise<void> {
  for (const folder of folders) if (await exists(folder)) await syncFolder(folder);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
