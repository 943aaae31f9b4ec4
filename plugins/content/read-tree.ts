/** The whole tree into records, reading only what a kept record does not answer. */
import { statSync } from "node:fs";
import type { ContentProblem } from "./contract.js";
import { KeptFolders, type KnownFolders } from "./kept-folders.js";
import { SourceReader } from "./read-source.js";
import type { Sliced } from "./slices.js";
import type { SourceRecord } from "./source-record.js";
import { unchangedWalk } from "./unchanged-walk.js";
import { walkTree, type FoundFile, type TreeRules } from "./walk.js";

/** Records kept from before, and how far they are trusted. */
export interface KeptRecords {
  records: ReadonlyMap<string, SourceRecord>;
  /** The folders in which the records were found. */
  folders: KnownFolders;
  /** `file`: time and size decide; `hash`: the bytes decide, so every file is read. */
  check: "file" | "hash";
  /** Files written after this moment (Unix ms) are read in any case: their time may stand still. */
  before: number;
}
/** Every source file of the tree, by path, in path order. */
export interface TreeRecords {
  records: Map<string, SourceRecord>;
  folders: KnownFolders;
  problems: ContentProblem[];
  /** Folders that could not be read. */
  unreadable: string[];
}

/** Reads the tree below `folder` (empty: all of it); without `kept`, no folder has a time. */
export function* readTree(
  rules: TreeRules,
  kept: KeptRecords | null,
  folder = "",
): Sliced<TreeRecords> {
  const isKnown = kept?.check === "file" && folder === "";
  const unchanged = isKnown ? yield* unchangedWalk(rules.root, kept) : null;
  const walk = unchanged ?? (yield* walkTree(rules, folder, keptFolders(kept)));
  const { files, folders, problems, unreadable } = walk;
  files.sort((a, b) => (a.sourcePath < b.sourcePath ? -1 : 1));
  const reader = new SourceReader();
  const records = new Map<string, SourceRecord>();
  for (const found of files) {
    const record = keptRecord(found, kept) ?? reader.read(found.sourcePath, found.file);
    if (record !== null) records.set(found.sourcePath, sameRecord(record, kept));
    yield;
  }
  return { records, folders, problems, unreadable };
}

/** The first look at a tree is what a site waits for: times are left to the next one. */
function keptFolders(kept: KeptRecords | null): KeptFolders | "untimed" | null {
  if (kept === null) return "untimed";
  return kept.check === "file" ? new KeptFolders(kept.folders, kept.records.keys()) : null;
}

function keptRecord(found: FoundFile, kept: KeptRecords | null): SourceRecord | null {
  const record = kept?.check === "file" ? kept.records.get(found.sourcePath) : undefined;
  if (kept === null || record === undefined) return null;
  const stats = statSync(found.file, { throwIfNoEntry: false });
  if (stats === undefined || stats.mtimeMs >= kept.before) return null;
  return stats.mtimeMs === record.mtimeMs && stats.size === record.size ? record : null;
}

/** The kept record where nothing has changed, so that what was made from it is kept too. */
function sameRecord(record: SourceRecord, kept: KeptRecords | null): SourceRecord {
  const before = kept?.records.get(record.sourcePath);
  const isSame =
    before !== undefined &&
    before.hash !== "" &&
    before.hash === record.hash &&
    before.mtimeMs === record.mtimeMs;
  return isSame ? before : record;
}
