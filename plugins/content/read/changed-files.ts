/** Finds changed files without listing folders, if no folder has changed. */
import { sep } from "node:path";
import type { Sliced } from "#kernel/internal";
import type { ContentProblem } from "../contract.js";
import { CurrentRecords } from "./current-records.js";
import { ALWAYS_LISTED, folderTime, type CachedFolders } from "./listed-folders.js";
import type { ChangedRecords } from "../index/next/next-quickly.js";
import type { CachedTree } from "./read-tree.js";
import type { SourceRecord } from "./source-record.js";

/** Files between two pauses: about a tenth of a millisecond. */
const STEP = 20;

/** The changed files, and those that could not be read. */
export interface ChangedFiles extends ChangedRecords {
  problems: readonly ContentProblem[];
}

/** The changed files below `root`; null when a folder may have gained or lost files. */
export function* changedFiles(root: string, kept: CachedTree): Sliced<ChangedFiles | null> {
  const isKnown = kept.check === "file" && (yield* areUnchanged(root, kept.folders));
  if (!isKnown) return null;
  const changed: SourceRecord[] = [];
  const removed: string[] = [];
  const current = new CurrentRecords(kept);
  let seen = 0;
  for (const [sourcePath, before] of kept.records) {
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
