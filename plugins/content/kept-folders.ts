/** Folders as an earlier walk found them: one whose time stands still is not listed again. */
import { statSync } from "node:fs";
import { folderOf, nameOf } from "./source-name.js";

/** A folder as a walk found it. */
export interface KnownFolder {
  /**
   * Of its last change (ctime in Unix ms, which no copy preserves); `alwaysListed` where the time does
   * not tell everything.
   */
  readonly time: number;
  /** It holds files that are no pages. */
  readonly hasOthers: boolean;
}
/** Every folder that was walked, by path. */
export type KnownFolders = ReadonlyMap<string, KnownFolder>;

/** The time of a folder that is listed at every walk: it holds links or reserved paths, or was just changed. */
export const alwaysListed = -1;
// A folder that changed this short a time ago may change again without a new time.
const racyMs = 2000;

/** What a folder holds: names of content files and of folders. */
export interface Listing {
  files: string[];
  folders: string[];
}
/** What a folder that stands as it was holds. */
export interface KeptListing extends Listing {
  hasOthers: boolean;
}

/** Answers for folders that have not changed since. */
export class KeptFolders {
  readonly #known: KnownFolders;
  readonly #listings = new Map<string, Listing>();

  /** `files`: paths of all content files. */
  constructor(known: KnownFolders, files: Iterable<string>) {
    this.#known = known;
    for (const path of known.keys()) if (path !== "") this.#of(folderOf(path)).folders.push(path);
    for (const path of files) this.#of(folderOf(path)).files.push(path);
  }

  /** What the folder holds; null when it must be listed. `now` is its time. */
  listing(path: string, now: number): KeptListing | null {
    const known = this.#known.get(path);
    if (known === undefined || now === alwaysListed || known.time !== now) return null;
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

/** Those that hold files beside pages. */
export function withOthers(folders: KnownFolders): string[] {
  return [...folders].flatMap(([path, { hasOthers }]) => (hasOthers ? [path] : []));
}

/** True when a folder has a time now that was not known: the next walk would have to list it again. */
export function haveNewTimes(known: KnownFolders, now: KnownFolders): boolean {
  if (known === now) return false;
  for (const [path, { time }] of now) {
    if (time !== alwaysListed && known.get(path)?.time !== time) return true;
  }
  return false;
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
