/** Folders as an earlier walk found them: one whose time stands still is not listed again. */
import { statSync } from "node:fs";
import { folderOf, nameOf } from "./source-name.js";

/**
 * Path of every folder that was walked, and the time of its last change (ctime in Unix ms, which no
 * copy preserves); `alwaysListed` where the time does not tell everything.
 */
export type FolderTimes = ReadonlyMap<string, number>;

/** The time of a folder that is listed at every walk: it holds links or reserved paths, or was just changed. */
export const alwaysListed = -1;
// A folder that changed this short a time ago may change again without a new time.
const racyMs = 2000;

/** What a folder holds: names of content files and of folders. */
export interface Listing {
  files: string[];
  folders: string[];
}

/** Answers for folders that have not changed since. */
export class KeptFolders {
  readonly #times: FolderTimes;
  readonly #listings = new Map<string, Listing>();

  /** `files`: paths of all content files. */
  constructor(times: FolderTimes, files: Iterable<string>) {
    this.#times = times;
    for (const path of times.keys()) if (path !== "") this.#of(folderOf(path)).folders.push(path);
    for (const path of files) this.#of(folderOf(path)).files.push(path);
  }

  /** What the folder holds; null when it must be listed. `now` is its time. */
  listing(path: string, now: number): Listing | null {
    if (now === alwaysListed || this.#times.get(path) !== now) return null;
    const { files, folders } = this.#of(path);
    return { files: files.map(nameOf), folders: folders.map(nameOf) };
  }

  #of(path: string): Listing {
    let listing = this.#listings.get(path);
    if (listing === undefined) this.#listings.set(path, (listing = { files: [], folders: [] }));
    return listing;
  }
}

/** The time of a folder; `alwaysListed` when it is too new, gone, or cannot be asked. */
export function folderTime(directory: string): number {
  try {
    const time = statSync(directory, { throwIfNoEntry: false })?.ctimeMs;
    return time === undefined || time > Date.now() - racyMs ? alwaysListed : time;
  } catch (error) {
    if (error instanceof Error && "code" in error) return alwaysListed;
    throw error;
  }
}
