/** Reads the whole tree into records and reuses the records of unchanged files. */
import type { Sliced } from "#kernel/internal";
import type { ContentProblem } from "../contract.js";
import { CurrentRecords, type TrustedRecords } from "./current-records.js";
import type { FirstRead } from "./first-read.js";
import { FolderCache, type CachedFolders } from "./listed-folders.js";
import type { SourceRecord } from "./source-record.js";
import { walkTree, type TreeRules } from "./walk.js";

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

/**
 * Reads the tree below `folder` (default: all of it). `kept`: the previous state, null without one;
 * `untimed` also skips the times of folders, so the next walk lists them again. `firstRead` gets the
 * bytes of each page that is read.
 */
export function* readTree(
  rules: TreeRules,
  kept: CachedTree | "untimed" | null,
  { folder = "", firstRead = null }: { folder?: string; firstRead?: FirstRead | null } = {},
): Sliced<TreeRecords> {
  const walk = yield* walkTree(rules, folder, kept === "untimed" ? kept : keptFolders(kept));
  const { files, folders, unreadable, hasLinks } = walk;
  files.sort((a, b) => (a.sourcePath < b.sourcePath ? -1 : 1));
  const current = new CurrentRecords(kept === "untimed" ? null : kept, firstRead);
  const records = new Map<string, SourceRecord>();
  for (const found of files) {
    const record = current.of(found);
    if (record !== null) records.set(found.sourcePath, record);
    yield;
  }
  const problems = [...walk.problems, ...current.problems];
  return { records, folders, problems, unreadable, hasLinks };
}

function keptFolders(kept: CachedTree | null): FolderCache | null {
  return kept?.check === "file" ? new FolderCache(kept.folders, kept.records.keys()) : null;
}
