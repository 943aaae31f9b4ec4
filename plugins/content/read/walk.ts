/** Finds the content files of the tree; links are followed only inside it. */
import { readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join, sep } from "node:path";
import type { Sliced } from "#lib/concurrency";
import { isMissing } from "#lib/errors";
import type { ContentProblem } from "../contract.js";
import { errorCode, readProblem } from "./read-source.js";
import {
  folderIssue,
  foldersAbove,
  hasControls,
  isIgnoredName,
  joinPath,
  nameOf,
  parseFileName,
  type NameRules,
  folderOf,
} from "./source-name.js";

/** The location and scope of the tree. */
export interface TreeRules extends NameRules {
  /** Absolute path of the content folder. */
  root: string;
  /** Formats of `formats` whose files run code on the server. */
  codeFormats: ReadonlySet<string>;
  /** True for paths below the root with another purpose (data, themes, configuration). */
  isReserved(path: string): boolean;
}
/** A content file: its path below the root, and the file to open. */
export interface FoundFile {
  sourcePath: string;
  /** Absolute, without links in its last segment. */
  file: string;
}
/** The result of a walk. */
export interface Walk {
  files: FoundFile[];
  /** Every folder that was walked. */
  folders: Map<string, CachedFolder>;
  problems: ContentProblem[];
  /** Unreadable folders and links (below the root): their earlier records remain. */
  unreadable: string[];
  /** True when the tree contains links, so a change may also affect other paths. */
  hasLinks: boolean;
}

/** A folder to list. */
interface Folder {
  path: string;
  directory: string;
  /** Real folders of the links that led here; a folder with one is listed at every walk. */
  through: readonly string[];
}

/**
 * Walks a folder (empty: everything) in path order; `kept` provides the listings of unchanged folders.
 * `untimed` skips reading their times, so the next walk lists them again.
 */
export function* walkTree(
  rules: TreeRules,
  folder = "",
  cached: FolderCache | "untimed" | null = null,
): Sliced<Walk> {
  const walk: Walk = {
    files: [],
    folders: new Map(),
    problems: [],
    unreadable: [],
    hasLinks: false,
  };
  const walker = new Walker(rules, walk, cached);
  const pending: Folder[] = [{ path: folder, directory: join(rules.root, folder), through: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const below of walker.readFolder(next)) pending.push(below);
    yield;
  }
  return walk;
}

class Walker {
  readonly #rules: TreeRules;
  readonly #walk: Walk;
  readonly #kept: FolderCache | null;
  readonly #isTimed: boolean;
  #realRoot: string | null = null;

  constructor(rules: TreeRules, walk: Walk, cached: FolderCache | "untimed" | null) {
    this.#rules = rules;
    this.#walk = walk;
    this.#kept = cached === "untimed" ? null : cached;
    this.#isTimed = cached !== "untimed";
  }

  /** Collects the files of a folder and returns its subfolders. */
  readFolder(folder: Folder): Folder[] {
    const issue = folderIssue(folder.path);
    if (issue !== null) {
      this.#report(folder.path, "ERR_CONTENT_DEPTH", issue);
      return [];
    }
    // Before listing, so that a change in between results in a newer time.
    const isTimed = this.#isTimed && folder.through.length === 0;
    const time = isTimed ? folderTime(folder.directory) : ALWAYS_LISTED;
    return this.#takeKept(folder, time) ?? this.#takeListed(folder, time);
  }

  #takeKept({ path, directory, through }: Folder, time: number): Folder[] | null {
    const listing = this.#kept?.listing(path, time) ?? null;
    if (listing === null) return null;
    this.#walk.folders.set(path, { time, hasOthers: listing.hasOthers });
    for (const name of listing.files)
      this.#takeFile(joinPath(path, name), `${directory}${sep}${name}`);
    return listing.folders.map((name) => ({
      path: joinPath(path, name),
      directory: `${directory}${sep}${name}`,
      through,
    }));
  }

  #takeListed({ path, directory, through }: Folder, time: number): Folder[] {
    const folders: Folder[] = [];
    const items = this.#list(path, directory);
    this.#note(path, items === null ? ALWAYS_LISTED : time, items);
    for (const item of items ?? []) {
      const below = joinPath(path, item.name);
      if (hasControls(item.name)) {
        this.#report(
          path,
          "ERR_CONTENT_NAME",
          `${JSON.stringify(item.name)} has a backslash or a control character in its name; it is skipped, rename it`,
        );
        this.#note(path, ALWAYS_LISTED, items);
      }
      if (isIgnoredName(item.name)) continue;
      const target = join(directory, item.name);
      if (this.#rules.isReserved(below) || item.isSymbolicLink()) {
        this.#note(path, ALWAYS_LISTED, items);
        if (!this.#rules.isReserved(below))
          folders.push(...this.#tryFollow(below, target, through));
      } else if (item.isFile()) this.#take(below, target, item.name);
      else if (item.isDirectory()) folders.push({ path: below, directory: target, through });
    }
    return folders;
  }

  #note(path: string, time: number, items: readonly Dirent[] | null): void {
    const hasOthers = items !== null && hasOtherFiles(items, this.#rules);
    this.#walk.folders.set(path, { time, hasOthers });
  }

  /** The contents of the folder; null when it cannot be read. */
  #list(path: string, directory: string): Dirent[] | null {
    try {
      return readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      if (path !== "" && isMissing(error)) return [];
      this.#walk.unreadable.push(path);
      if (path === "")
        this.#report(
          path,
          "ERR_CONTENT_READ",
          `the folder cannot be read (${errorCode(error)}); check its permissions, and that content.dir (system.yaml) names the folder of your pages`,
        );
      else this.#walk.problems.push(readProblem(path, error));
      return null;
    }
  }

  #tryFollow(path: string, link: string, through: readonly string[]): Folder[] {
    this.#walk.hasLinks = true;
    try {
      return this.#follow(path, link, through);
    } catch (error) {
      // The folder was deleted since its parent was listed.
      if (isMissing(error)) return [];
      this.#walk.unreadable.push(path);
      this.#walk.problems.push(readProblem(path, error));
      return [];
    }
  }

  #take(sourcePath: string, file: string, name: string): void {
    if (parseFileName(name, this.#rules) !== null) this.#takeFile(sourcePath, file);
  }

  #takeFile(sourcePath: string, file: string): void {
    this.#walk.files.push({ sourcePath, file });
  }

  #follow(path: string, link: string, before: readonly string[]): Folder[] {
    const target = this.#insideTarget(link);
    if (target === null) {
      const message = "the link leads out of the content folder or nowhere; it is skipped";
      this.#report(path, "ERR_CONTENT_LINK", message);
      return [];
    }
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats?.isFile() === true) this.#take(path, target, nameOf(path));
    if (stats?.isDirectory() !== true) return [];
    const through = [...before, realpathSync(join(link, ".."))];
    const isCycle = [link, ...through].some((at) => `${at}${sep}`.startsWith(`${target}${sep}`));
    if (!isCycle) return [{ path, directory: target, through }];
    this.#report(path, "ERR_CONTENT_LINK", "the link leads in a circle; it is skipped");
    return [];
  }

  #insideTarget(link: string): string | null {
    try {
      this.#realRoot ??= realpathSync(this.#rules.root);
      const target = realpathSync(link);
      const relative = target
        .slice(this.#realRoot.length + 1)
        .split(sep)
        .join("/");
      if (!target.startsWith(`${this.#realRoot}${sep}`) || this.#rules.isReserved(relative))
        return null;
      return relative.split("/").some(isIgnoredName) ? null : target;
    } catch (error) {
      if (isMissing(error) || errorCode(error) === "ELOOP") return null;
      throw error;
    }
  }

  #report(sourcePath: string, code: ContentProblem["code"], message: string): void {
    this.#walk.problems.push({ sourcePath, severity: "error", code, message });
  }
}

/** True when some of the items of a folder are files that are not pages, mostly media. */
export function hasOtherFiles(items: readonly Dirent[], rules: NameRules): boolean {
  return items.some(
    (item) => !item.isDirectory() && (!item.isFile() || parseFileName(item.name, rules) === null),
  );
}

/** A folder found by a walk. */
export interface CachedFolder {
  /**
   * Ctime in Unix ms, which copying does not preserve; `alwaysListed` where the time is not
   * reliable.
   */
  readonly time: number;
  /** True when it contains files that are not pages. */
  readonly hasOthers: boolean;
}
/** Every folder that was walked, by path. */
export type CachedFolders = ReadonlyMap<string, CachedFolder>;

/** Marks a folder that every walk lists: it contains links or reserved paths, or has just changed. */
export const ALWAYS_LISTED = -1;
// A folder that changed this recently may change again without a new ctime.
const RACY_MS = 2000;

/** The contents of a folder: names of content files and of folders. */
interface Listing {
  files: string[];
  folders: string[];
}
/** The contents of an unchanged folder. */
interface CachedListing extends Listing {
  hasOthers: boolean;
}

/** The listings of an earlier walk, for folders whose ctime has not changed. */
export class FolderCache {
  readonly #known: CachedFolders;
  readonly #listings = new Map<string, Listing>();

  /** `files`: paths of all content files. */
  constructor(cached: CachedFolders, files: Iterable<string>) {
    this.#known = cached;
    for (const path of cached.keys()) if (path !== "") this.#of(folderOf(path)).folders.push(path);
    for (const path of files) this.#of(folderOf(path)).files.push(path);
  }

  /** The contents of the folder; null when it must be listed. `now` is its current ctime. */
  listing(path: string, now: number): CachedListing | null {
    const cached = this.#known.get(path);
    if (cached === undefined || now === ALWAYS_LISTED || cached.time !== now) return null;
    const { files, folders } = this.#of(path);
    const { hasOthers } = cached;
    return { files: files.map(nameOf), folders: folders.map(nameOf), hasOthers };
  }

  #of(path: string): Listing {
    let listing = this.#listings.get(path);
    if (listing === undefined) this.#listings.set(path, (listing = { files: [], folders: [] }));
    return listing;
  }
}

/** The folders that contain files other than pages. */
export function withOthers(folders: CachedFolders): string[] {
  return [...folders].flatMap(([path, { hasOthers }]) => (hasOthers ? [path] : []));
}

/** What reading single paths has found out about folders. */
export interface FoundFolders {
  /** Folders that are no more, or of which `read` has everything below. */
  readonly removed: ReadonlySet<string>;
  /** Whether a folder contains files that are not pages. */
  readonly read: ReadonlyMap<string, boolean>;
}

/**
 * The folders with what was found since the walk; the same map when nothing differs. A new folder has no
 * time: the next walk lists it.
 */
export function withFound(folders: CachedFolders, found: FoundFolders): CachedFolders {
  const removed = new Set([...found.removed].filter((path) => folders.has(path)));
  const isKept = (path: string): boolean =>
    !removed.has("") && ![path, ...foldersAbove(path)].some((at) => removed.has(at));
  const next = new Map(removed.size === 0 ? folders : [...folders].filter(([at]) => isKept(at)));
  for (const [path, hasOthers] of found.read) {
    next.set(path, { time: folders.get(path)?.time ?? ALWAYS_LISTED, hasOthers });
  }
  const isSame =
    next.size === folders.size &&
    [...found.read].every(([path, hasOthers]) => folders.get(path)?.hasOthers === hasOthers);
  return isSame ? folders : next;
}

/** True when a folder has gained a reliable time, which saves the next walk a listing. */
export function haveNewTimes(before: CachedFolders, now: CachedFolders): boolean {
  if (before === now) return false;
  for (const [path, { time }] of now) {
    if (time !== ALWAYS_LISTED && before.get(path)?.time !== time) return true;
  }
  return false;
}

/** The ctime of a folder; `alwaysListed` when it is too recent, missing or unreadable. */
export function folderTime(directory: string): number {
  try {
    const time = statSync(directory, { throwIfNoEntry: false })?.ctimeMs;
    return time === undefined || time > Date.now() - RACY_MS ? ALWAYS_LISTED : time;
  } catch (error) {
    if (error instanceof Error && "code" in error) return ALWAYS_LISTED;
    throw error;
  }
}
