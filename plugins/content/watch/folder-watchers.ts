/**
 * One operating-system watch per folder. A watcher per file, as watching libraries keep them,
 * takes 200 MB for 10,000 pages; the events of a folder name the file.
 */
import { lstatSync, readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { isMissing } from "../read/read-source.js";
import type { Sliced } from "../index/slices.js";
import { isIgnoredName, joinPath } from "../read/source-name.js";

/** Root folder and callbacks. */
export interface FolderWatchersOptions {
  /** Absolute path of the folder at the top. */
  root: string;
  /** A path below the root has changed in some way. */
  onPath(path: string): void;
  /** Folders that cannot be watched: no watches are left, or no permission. */
  onError(error: unknown): void;
  /** A path that exists but cannot be read now: `follow` it again, its watches are incomplete. */
  onUnreadable(path: string): void;
}

/** The watches of a tree of folders. */
export class FolderWatchers {
  readonly #options: FolderWatchersOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  #isClosed = false;

  constructor(options: FolderWatchersOptions) {
    this.#options = options;
  }

  /** Adjusts the watches to a path that was created, deleted or replaced. */
  *follow(path: string): Sliced<void> {
    const isFolder = this.#isFolder(path);
    // A temporary read error is not a deletion: without watches, later changes would be missed.
    if (isFolder === null) return;
    // A new folder may have the name of a watched one.
    if (path !== "" && this.#watchers.has(path)) this.remove(path);
    if (isFolder) yield* this.add(path);
  }

  /** Null when that cannot be determined now. */
  #isFolder(path: string): boolean | null {
    try {
      // Links are not followed, except by the content folder itself.
      return path === "" || lstatSync(join(this.#options.root, path)).isDirectory();
    } catch (error) {
      if (isMissing(error)) return false;
      this.#options.onUnreadable(path);
      return null;
    }
  }

  /** Watches a folder (empty: the root) and all below it; skips anything that is not a folder. */
  *add(folder: string): Sliced<void> {
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined && !this.#isClosed; next = pending.pop()) {
      // Watch before listing, so that files created in between are reported.
      if (!this.#watch(next)) continue;
      for (const name of this.#foldersIn(next)) pending.push(joinPath(next, name));
      yield;
    }
  }

  #watch(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    try {
      const watcher = watch(
        join(this.#options.root, folder),
        { persistent: false },
        (_event, name) => this.#options.onPath(name === null ? folder : joinPath(folder, name)),
      );
      watcher.on("error", () => {
        this.remove(folder);
        this.#options.onUnreadable(folder);
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      if (!isMissing(error)) this.#options.onError(error);
      return false;
    }
  }

  #foldersIn(folder: string): string[] {
    try {
      const items = readdirSync(join(this.#options.root, folder), { withFileTypes: true });
      return items
        .filter((item) => item.isDirectory() && !isIgnoredName(item.name))
        .map(({ name }) => name);
    } catch (error) {
      // A deleted path, or one that is not a folder, needs no watch.
      if (!isMissing(error)) this.#options.onUnreadable(folder);
      return [];
    }
  }

  /** Ends the watches of a deleted folder and of all below it. */
  remove(folder: string): void {
    const below = `${folder}/`;
    for (const [path, watcher] of this.#watchers) {
      if (path !== folder && !path.startsWith(below)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  /** True when the path is a folder that is watched. */
  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  close(): void {
    this.#isClosed = true;
    this.removeAll();
  }

  /** Ends all watches. */
  removeAll(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}
