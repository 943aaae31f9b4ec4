/** Reads the whole tree, or what has changed in it, into records and reuses the records of unchanged files. */
import { sep } from "node:path";
import { statSync } from "node:fs";
import type { Sliced } from "#lib/concurrency";
import { isMissing } from "#lib/errors";
import type { ContentProblem } from "../contract.js";
import type { ChangedRecords } from "../index/update-index.js";
import {
  type FirstRead,
  isUnread,
  readProblem,
  SourceReader,
  unreadRecord,
} from "./read-source.js";
import {
  FolderCache,
  type CachedFolders,
  ALWAYS_LISTED,
  folderTime,
  walkTree,
  type TreeRules,
  type FoundFile,
} from "./walk.js";
import type { SourceRecord } from "./source-record.js";
import { foldersAbove } from "./source-name.js";

/** The previous state of the tree. */
export interface CachedTree extends TrustedRecords {
  /** The folders in which the records were found. */
  folders: CachedFolders;
}
/** Every source file of the tree, by path, in path order. */
export interface TreeRecords {
  records: Map<string, SourceRecord>;
  folders: CachedFolders;
  problems: ContentProblem[];
  /** Folders and links that could not be read. */
  unreadable: string[];
  /** True when the tree holds links. */
  hasLinks: boolean;
}

/** Selects the part of the tree to read. */
interface ReadTreeOptions {
  /** Only what is below this folder. Default: all of it. */
  readonly folder?: string;
  /** Gets the bytes of each page that is read. */
  readonly firstRead?: FirstRead | null;
}

/**
 * Reads the tree. `kept`: the previous state, null without one; `untimed` also skips the times of folders, so the next
 * walk lists them again.
 */
export function* readTree(
  rules: TreeRules,
  cached: CachedTree | "untimed" | null,
  { folder = "", firstRead = null }: ReadTreeOptions = {},
): Sliced<TreeRecords> {
  const walk = yield* walkTree(rules, folder, cached === "untimed" ? cached : keptFolders(cached));
  const { files, folders, unreadable, hasLinks } = walk;
  files.sort((a, b) => (a.sourcePath < b.sourcePath ? -1 : 1));
  const current = new CurrentRecords(cached === "untimed" ? null : cached, firstRead);
  const records = new Map<string, SourceRecord>();
  for (const file of files) {
    const record = current.of(file);
    if (record !== null) records.set(file.sourcePath, record);
    yield;
  }
  const problems = [...walk.problems, ...current.problems];
  return { records, folders, problems, unreadable, hasLinks };
}

function keptFolders(cached: CachedTree | null): FolderCache | null {
  return cached?.check === "file" ? new FolderCache(cached.folders, cached.records.keys()) : null;
}

/** Files between two pauses: about a tenth of a millisecond. */
const STEP = 20;

/** The changed files, and those that could not be read. */
interface ChangedFiles extends ChangedRecords {
  problems: readonly ContentProblem[];
}

/** The changed files below `root`; null when a folder may have gained or lost files. */
export function* changedFiles(root: string, cached: CachedTree): Sliced<ChangedFiles | null> {
  const isKnown = cached.check === "file" && (yield* areUnchanged(root, cached.folders));
  if (!isKnown) return null;
  const changed: SourceRecord[] = [];
  const removed: string[] = [];
  const current = new CurrentRecords(cached);
  let seen = 0;
  for (const [sourcePath, before] of cached.records) {
    const now = current.of({ sourcePath, file: `${root}${sep}${sourcePath}` });
    if (now === null) removed.push(sourcePath);
    else if (now !== before) changed.push(now);
    if (++seen % STEP === 0) yield;
  }
  return { changed, removed, problems: current.problems };
}

function* areUnchanged(root: string, folders: CachedFolders): Sliced<boolean> {
  let seen = 0;
  for (const [path, { time }] of folders) {
    if (time === ALWAYS_LISTED || folderTime(`${root}${sep}${path}`) !== time) return false;
    if (++seen % STEP === 0) yield;
  }
  return folders.size > 0;
}

/** Earlier records, and how they are verified. */
export interface TrustedRecords {
  records: ReadonlyMap<string, SourceRecord>;
  /** `file`: compare time and size; `hash`: compare the bytes, so every file is read. */
  check: "file" | "hash";
  /** Files written after this moment (Unix ms) are always read: a second write may not change the mtime. */
  before: number;
  /** Files, or folders of files, that are always read. */
  touched?: ReadonlySet<string>;
}

/** Reads records of files, one at a time. */
export class CurrentRecords {
  /** Problems of unreadable files that retain their earlier record. */
  readonly problems: ContentProblem[] = [];
  readonly #trusted: TrustedRecords | null;
  readonly #reader: SourceReader;

  /** `trusted`: null reads every file. `firstRead` gets the bytes of each page that is read. */
  constructor(trusted: TrustedRecords | null, firstRead: FirstRead | null = null) {
    this.#trusted = trusted;
    this.#reader = new SourceReader(firstRead);
  }

  /**
   * The current record of a file; null when it was deleted. An unchanged file returns the same
   * object, so that what was derived from it stays valid.
   */
  of({ sourcePath, file }: FoundFile): SourceRecord | null {
    const before = this.#trusted?.records.get(sourcePath);
    try {
      if (before !== undefined && this.#isUntouched(file, before)) return before;
      const now = this.#reader.read(sourcePath, file);
      return before !== undefined && isSame(before, now) ? before : now;
    } catch (error) {
      if (isMissing(error)) return null;
      if (before === undefined) return unreadRecord(sourcePath, error);
      // A file that was never read reports its problem itself.
      if (!isUnread(before)) this.problems.push(readProblem(sourcePath, error));
      return before;
    }
  }

  #isUntouched(file: string, { sourcePath, mtimeMs, size }: SourceRecord): boolean {
    if (this.#trusted?.check !== "file" || this.#isTouched(sourcePath)) return false;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.mtimeMs >= this.#trusted.before) return false;
    return stats.mtimeMs === mtimeMs && stats.size === size;
  }

  #isTouched(sourcePath: string): boolean {
    const touched = this.#trusted?.touched;
    if (touched === undefined || touched.size === 0) return false;
    return touched.has(sourcePath) || foldersAbove(sourcePath).some((path) => touched.has(path));
  }
}

function isSame(before: SourceRecord, now: SourceRecord | null): boolean {
  if (now === null || before.mtimeMs !== now.mtimeMs || before.hash !== now.hash) return false;
  // Files that are too large have no hash.
  return now.hash !== "" || (before.size === now.size && before.error?.code === now.error?.code);
}
