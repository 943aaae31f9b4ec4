/** Folders of an earlier walk: an unchanged ctime means that the folder is not listed again. */
import { statSync } from "node:fs";
import { folderOf, nameOf } from "./source-name.js";

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
export interface Listing {
  files: string[];
  folders: string[];
}
/** The contents of an unchanged folder. */
export interface CachedListing extends Listing {
  hasOthers: boolean;
}

/** Provides the listings of unchanged folders. */
export class FolderCache {
  readonly #known: CachedFolders;
  readonly #listings = new Map<string, Listing>();

  /** `files`: paths of all content files. */
  constructor(known: CachedFolders, files: Iterable<string>) {
    this.#known = known;
    for (const path of known.keys()) if (path !== "") this.#of(folderOf(path)).folders.push(path);
    for (const path of files) this.#of(folderOf(path)).files.push(path);
  }

  /** The contents of the folder; null when it must be listed. `now` is its current ctime. */
  listing(path: string, now: number): CachedListing | null {
    const known = this.#known.get(path);
    if (known === undefined || now === ALWAYS_LISTED || known.time !== now) return null;
    const { files, folders } = this.#of(path);
    const { hasOthers } = known;
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

/** True when a folder has gained a reliable time, which saves the next walk a listing. */
export function haveNewTimes(known: CachedFolders, now: CachedFolders): boolean {
  if (known === now) return false;
  for (const [path, { time }] of now) {
    if (time !== ALWAYS_LISTED && known.get(path)?.time !== time) return true;
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
