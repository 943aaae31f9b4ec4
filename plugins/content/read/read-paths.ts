/** Re-reads single paths: changed records, deleted files, affected media folders. */
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { type Sliced, sortInSlices } from "#lib/concurrency";
import { isMissing } from "#lib/errors";
import { compareUnits } from "#lib/text";
import type { ContentProblem } from "../contract.js";
import type { LayeredMap } from "../index/layered-map.js";
import { CurrentRecords, readTree } from "./read-tree.js";
import { isMediaFolder } from "./media-listing.js";
import { errorCode, readProblem } from "./read-source.js";
import {
  folderOf,
  isAtOrBelow,
  isIgnoredName,
  isTooDeep,
  nameOf,
  isPagePath,
} from "./source-name.js";
import type { SourceRecord } from "./source-record.js";
import { type FoundFolders, hasOtherFiles, type TreeRules } from "./walk.js";

/** The result of re-reading paths. */
export interface FoundChanges {
  changed: SourceRecord[];
  removed: string[];
  /** Folders whose media changed. */
  media: Set<string>;
  /** The folders whose files may be others than before. */
  folders: FoundFolders;
  /** Paths that were read: `problems` replaces what was reported there or below. */
  looked: string[];
  problems: ContentProblem[];
  /** True when a file or folder has other names, whose paths may have changed with it. */
  hasOtherNames: boolean;
}

/** The state before reading. */
interface Known {
  readonly records: LayeredMap<SourceRecord>;
  /** Absolute paths with unchanged media. */
  readonly echoes: ReadonlySet<string>;
}

/** Reads paths below the content folder and compares them with the known records. Each fails separately. */
export function* readPaths(
  paths: readonly string[],
  rules: TreeRules,
  former: Known,
): Sliced<FoundChanges> {
  const reader = new PathReader(rules, former);
  // A missing content folder does not mean that its pages were deleted.
  if (!isRootThere(rules)) return reader.found();
  for (const path of new Set(paths)) {
    if (!isForeign(path, rules)) yield* reader.look(path);
    yield;
  }
  return reader.found();
}

function isRootThere({ root }: TreeRules): boolean {
  try {
    return statSync(root).isDirectory();
  } catch {
    return false;
  }
}

function isForeign(path: string, rules: TreeRules): boolean {
  if (path === "") return false;
  return isTooDeep(path) || path.split("/").some(isIgnoredName) || rules.isReserved(path);
}

/** Folders whose known files are looked for one by one; for more of them, all files are sorted once. */
const MAX_SEARCHES = 8;

class PathReader {
  readonly #rules: TreeRules;
  readonly #known: LayeredMap<SourceRecord>;
  readonly #current: CurrentRecords;
  readonly #echoes: ReadonlySet<string>;
  /** By path, null for a deleted file; the last read wins. */
  readonly #records = new Map<string, SourceRecord | null>();
  readonly #media = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #folders = new Map<string, boolean>();
  readonly #looked: string[] = [];
  readonly #problems: ContentProblem[] = [];
  #hasOtherNames = false;
  #searches = 0;
  #sorted: readonly string[] | null = null;

  constructor(rules: TreeRules, { records: former, echoes }: Known) {
    this.#echoes = echoes;
    this.#rules = rules;
    this.#known = former;
    this.#current = new CurrentRecords({ records: former, check: "hash", before: 0 });
  }

  found(): FoundChanges {
    const records = [...this.#records];
    const all = [...this.#problems, ...this.#current.problems];
    return {
      changed: records.flatMap(([, record]) => record ?? []),
      removed: records.flatMap(([path, record]) => (record === null ? [path] : [])),
      media: this.#media,
      folders: this.#foundFolders(),
      looked: this.#looked,
      // A folder can be reported by its own path and by those of its files.
      problems: [...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()],
      hasOtherNames: this.#hasOtherNames,
    };
  }

  *look(path: string): Sliced<void> {
    this.#looked.push(path);
    try {
      const stats = readStats(join(this.#rules.root, path));
      if (stats === null) yield* this.#takeMissing(path);
      else if (stats.isDirectory()) yield* this.#takeFolder(path);
      else if (stats.isSymbolicLink()) this.#hasOtherNames = true;
      else {
        this.#hasOtherNames ||= stats.nlink > 1;
        yield* this.#takeFile(path);
      }
    } catch (error) {
      this.#problems.push(readProblem(path, error));
      // A later full scan covers pages, but not media.
      if (!this.#isPage(path)) this.#media.add(folderOf(path)).add(path);
    }
  }

  *#takeMissing(path: string): Sliced<void> {
    this.#removeFolders(path);
    const isPage = this.#isPage(path);
    this.#remove(path);
    if (isPage && this.#known.has(path)) return;
    if ((yield* this.#removeBelow(path)) || !isPage) this.#noteMedia(path, [folderOf(path), path]);
  }

  *#takeFile(path: string): Sliced<void> {
    if (!this.#known.has(path)) yield* this.#removeBelow(path);
    if (!this.#isPage(path)) {
      if (isMediaFolder(folderOf(path), this.#rules)) this.#noteMedia(path, [folderOf(path)]);
      return;
    }
    const file = realFile(path, this.#rules);
    const record = file === null ? null : this.#current.of({ sourcePath: path, file });
    if (record === null) this.#remove(path);
    else this.#take(record);
  }

  *#takeFolder(path: string): Sliced<void> {
    const cached = { records: this.#known, folders: new Map(), check: "hash" as const, before: 0 };
    const tree = yield* readTree(this.#rules, cached, { folder: path });
    this.#problems.push(...tree.problems);
    this.#hasOtherNames ||= tree.hasLinks;
    if (tree.unreadable.length === 0) this.#removeFolders(path);
    for (const [folder, { hasOthers }] of tree.folders) this.#folders.set(folder, hasOthers);
    // Before, it may have been a file, which the folder above listed.
    this.#noteMedia(path, [folderOf(path), path]);
    for (const record of tree.records.values()) this.#take(record);
    this.#remove(path);
    const isThere = (file: string): boolean =>
      tree.records.has(file) || tree.unreadable.some((folder) => isAtOrBelow(file, folder));
    yield* this.#removeBelow(path, (file) => !isThere(file));
  }

  #noteMedia(path: string, folders: readonly string[]): void {
    if (this.#echoes.has(join(this.#rules.root, path))) return;
    for (const folder of folders) this.#media.add(folder);
  }

  #removeFolders(path: string): void {
    this.#removed.add(path);
    for (const folder of this.#folders.keys()) {
      if (isAtOrBelow(folder, path)) this.#folders.delete(folder);
    }
  }

  /** With the folders whose media changed, as they are now. */
  #foundFolders(): FoundFolders {
    for (const folder of this.#media) {
      const hasOthers = isForeign(folder, this.#rules) ? null : this.#hasOthers(folder);
      if (hasOthers !== null) this.#folders.set(folder, hasOthers);
    }
    return { removed: this.#removed, read: this.#folders };
  }

  /** Null when it is no folder, or cannot be read: a later walk may find it. */
  #hasOthers(folder: string): boolean | null {
    try {
      const directory = join(this.#rules.root, folder);
      return hasOtherFiles(readdirSync(directory, { withFileTypes: true }), this.#rules);
    } catch (error) {
      if (error instanceof Error && "code" in error) return null;
      throw error;
    }
  }

  /** Removes the records below a path; true when there were any. */
  *#removeBelow(path: string, isGone: (file: string) => boolean = () => true): Sliced<boolean> {
    const prefix = path === "" ? "" : `${path}/`;
    const below = new Set(yield* this.#knownBelow(prefix));
    for (const file of this.#records.keys()) if (file.startsWith(prefix)) below.add(file);
    for (const file of below) if (isGone(file)) this.#remove(file);
    return below.size > 0;
  }

  /** The known files whose paths begin so. */
  *#knownBelow(prefix: string): Sliced<readonly string[]> {
    this.#searches += 1;
    if (this.#searches <= MAX_SEARCHES) return this.#known.beginningWith(prefix);
    this.#sorted ??= yield* sortInSlices([...this.#known.keys()], compareUnits);
    const start = firstFrom(this.#sorted, prefix);
    let end = start;
    while (this.#sorted[end]?.startsWith(prefix) === true) end += 1;
    return this.#sorted.slice(start, end);
  }

  #remove(path: string): void {
    if (this.#known.has(path)) this.#records.set(path, null);
    else this.#records.delete(path);
  }

  #take(record: SourceRecord): void {
    if (record === this.#known.get(record.sourcePath)) this.#records.delete(record.sourcePath);
    else this.#records.set(record.sourcePath, record);
  }

  #isPage(path: string): boolean {
    return isPagePath(path, this.#rules);
  }
}

/** The index of the first item of a sorted list that is not before `least`. */
function firstFrom(sorted: readonly string[], least: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readStats(file: string) {
  try {
    return lstatSync(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The file with the links of its folders resolved; null when the target is outside or not content. */
function realFile(path: string, rules: TreeRules): string | null {
  const root = realpathSync(rules.root);
  const folder = realFolder(join(rules.root, folderOf(path)));
  if (folder === root) return join(root, nameOf(path));
  if (folder === null || !folder.startsWith(`${root}${sep}`)) return null;
  const below = folder
    .slice(root.length + 1)
    .split(sep)
    .join("/");
  return isForeign(below, rules) ? null : join(folder, nameOf(path));
}

function realFolder(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (isMissing(error) || errorCode(error) === "ELOOP") return null;
    throw error;
  }
}
