/** What a walk would find where no folder has changed: nothing is listed. */
import { sep } from "node:path";
import { alwaysListed, folderTime, type KnownFolders } from "./kept-folders.js";
import type { Sliced } from "./slices.js";
import type { Walk } from "./walk.js";

/** What an earlier walk of the whole tree has found. */
export interface KnownTree {
  folders: KnownFolders;
  /** By path. */
  records: ReadonlyMap<string, unknown>;
}

/** The walk of the whole tree below `root`; null when a folder may hold something else than before. */
export function* unchangedWalk(root: string, known: KnownTree): Sliced<Walk | null> {
  if (known.folders.size === 0) return null;
  for (const [path, { time }] of known.folders) {
    if (time === alwaysListed || folderTime(`${root}${sep}${path}`) !== time) return null;
    yield;
  }
  const files = [...known.records.keys()].map((path) => ({
    sourcePath: path,
    file: `${root}${sep}${path}`,
  }));
  return { files, folders: new Map(known.folders), problems: [], unreadable: [] };
}
