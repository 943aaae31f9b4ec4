/**
 * One operating-system watch per folder. A watcher per file, as watching libraries keep them,
 * takes 200 MB for 10,000 pages; the events of a folder name the file.
 */
import { lstatSync, readdirSync, realpathSync, statSync, watch, type FSWatcher } from "node:fs";
import { join, sep } from "node:path";
import { isMissing } from "#lib/errors";

/** Root folder and callbacks. Paths are relative to the root, with slashes; empty: the root itself. */
export interface FolderWatchersOptions {
  /** Absolute path of the folder at the top. */
  root: string;
  /** A path below the root has changed in some way. */
  onPath(path: string): void;
  /** Folders that cannot be watched: no watches are left, or no permission. */
  onError(error: unknown): void;
  /** A path that exists but cannot be read now: `follow` it again, its watches are incomplete. */
  onUnreadable(path: string): void;
  /** False for folders to leave out with all below them. Default: every folder is watched. */
  isWatched?(path: string): boolean;
  /** True: folders and files behind links are watched too. Default false. */
  followsLinks?: boolean;
  /** Called for each file in a folder whose watch begins: its events may have come before. */
  onFile?(path: string): void;
}

/** The watches of a tree of folders. The generators yield where they may be interrupted. */
export class FolderWatchers {
  readonly #options: FolderWatchersOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Watched folders by the folder that contains them. */
  readonly #inside = new Map<string, Set<string>>();
  #isClosed = false;

  constructor(options: FolderWatchersOptions) {
    this.#options = options;
  }

  /** Adjusts the watches to a path that was created, deleted or replaced. */
  *follow(path: string): Generator<void, void, void> {
    const isWatchable = this.#isWatchable(path);
    // A temporary read error is not a deletion: without watches, later changes would be missed.
    if (isWatchable === null) return;
    // A new folder may have the name of a watched one.
    if (path !== "" && this.#watchers.has(path)) this.remove(path);
    if (isWatchable) yield* this.add(path);
  }

  /** Null when that cannot be determined now. */
  #isWatchable(path: string): boolean | null {
    if (path === "") return true;
    try {
      const stats = lstatSync(this.#absolute(path));
      return stats.isSymbolicLink() ? this.#followsLink(path) : stats.isDirectory();
    } catch (error) {
      if (isMissing(error)) return false;
      this.#options.onUnreadable(path);
      return null;
    }
  }

  /** Links that lead nowhere, or to a folder above themselves, are not followed. */
  #followsLink(path: string): boolean {
    if (this.#options.followsLinks !== true) return false;
    const link = this.#absolute(path);
    try {
      if (!statSync(link).isDirectory()) return true;
      const folder = realpathSync(join(link, ".."));
      return !`${folder}${sep}`.startsWith(`${realpathSync(link)}${sep}`);
    } catch {
      return false;
    }
  }

  /** Watches a folder (empty: the root) and all below it; skips anything that is not a folder. */
  *add(folder: string): Generator<void, void, void> {
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined && !this.#isClosed; next = pending.pop()) {
      // Watch before listing, so that files created in between are reported.
      if (!this.#watch(next)) continue;
      pending.push(...this.#watchableIn(next));
      yield;
    }
  }

  #watch(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    try {
      const target = this.#absolute(folder);
      // A file behind a link.
      const isFile = this.#options.followsLinks === true && statSync(target).isFile();
      const watcher = watch(target, { persistent: false }, (_event, name) =>
        this.#options.onPath(name === null || isFile ? folder : joinPath(folder, name)),
      );
      watcher.on("error", () => {
        this.remove(folder);
        this.#options.onUnreadable(folder);
      });
      this.#watchers.set(folder, watcher);
      this.#note(folder);
      return true;
    } catch (error) {
      if (!isMissing(error)) this.#options.onError(error);
      return false;
    }
  }

  #watchableIn(folder: string): string[] {
    try {
      const items = readdirSync(this.#absolute(folder), { withFileTypes: true });
      return items.flatMap((item) => {
        const path = joinPath(folder, item.name);
        const isLink = item.isSymbolicLink() && this.#followsLink(path);
        if (!item.isDirectory()) this.#options.onFile?.(path);
        if (!item.isDirectory() && !isLink) return [];
        return this.#options.isWatched?.(path) === false ? [] : [path];
      });
    } catch (error) {
      // A deleted path, or one that is not a folder, needs no watch.
      if (!isMissing(error)) this.#options.onUnreadable(folder);
      return [];
    }
  }

  #absolute(path: string): string {
    return join(this.#options.root, path);
  }

  #note(folder: string): void {
    for (let path = folder; path !== ""; path = parentOf(path)) {
      const inside = this.#inside.get(parentOf(path));
      if (inside?.has(path) === true) return;
      if (inside === undefined) this.#inside.set(parentOf(path), new Set([path]));
      else inside.add(path);
    }
  }

  /** Ends the watches of a deleted folder and of all below it; of the root itself only. */
  remove(folder: string): void {
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      this.#watchers.get(next)?.close();
      this.#watchers.delete(next);
      if (next === "") continue;
      pending.push(...(this.#inside.get(next) ?? []));
      this.#inside.delete(next);
    }
    if (folder !== "") this.#inside.get(parentOf(folder))?.delete(folder);
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
    this.#inside.clear();
  }
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
}

function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
