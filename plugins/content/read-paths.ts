/** What has become of single paths: records that changed, files that went, media folders touched. */
import { lstatSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { ContentProblem } from "./contract.js";
import type { LayeredMap } from "./layered-map.js";
import { isMediaFolder } from "./media-listing.js";
import { SourceReader } from "./read-source.js";
import { readTree } from "./read-tree.js";
import type { Sliced } from "./slices.js";
import { folderOf, isIgnoredName, isTooDeep, nameOf, parseFileName } from "./source-name.js";
import type { SourceRecord } from "./source-record.js";
import type { TreeRules } from "./walk.js";

/** The outcome of looking again. */
export interface FoundChanges {
  changed: SourceRecord[];
  removed: string[];
  /** Folders whose media changed. */
  media: Set<string>;
  /** Problems of folders that were walked; null when none was. */
  problems: ContentProblem[] | null;
}

/** Looks at paths below the content folder, comparing with the known records. */
export function* readPaths(
  paths: readonly string[],
  rules: TreeRules,
  known: LayeredMap<SourceRecord>,
): Sliced<FoundChanges> {
  const found: FoundChanges = { changed: [], removed: [], media: new Set(), problems: null };
  const scope: FileScope = { rules, known, found };
  const reader = new SourceReader();
  for (const path of new Set(paths)) {
    if (isForeign(path, rules)) continue;
    const stats = lstatSync(join(rules.root, path), { throwIfNoEntry: false });
    if (stats === undefined) yield* takeRemoved(path, scope);
    else if (stats.isFile()) takeFile(path, reader, scope);
    else yield* takeFolder(path, scope);
    yield;
  }
  return withoutRepeats(found);
}

/** A folder that comes or goes is told by its own name and by those of its files. */
function withoutRepeats(found: FoundChanges): FoundChanges {
  const changed = new Map(found.changed.map((record) => [record.sourcePath, record]));
  return { ...found, changed: [...changed.values()], removed: [...new Set(found.removed)] };
}

function isForeign(path: string, rules: TreeRules): boolean {
  if (path === "") return false;
  return isTooDeep(path) || path.split("/").some(isIgnoredName) || rules.isReserved(path);
}

interface FileScope {
  rules: TreeRules;
  known: LayeredMap<SourceRecord>;
  found: FoundChanges;
}

function takeFile(path: string, reader: SourceReader, { rules, known, found }: FileScope): void {
  if (parseFileName(nameOf(path), rules) === null) {
    if (isMediaFolder(folderOf(path), rules)) found.media.add(folderOf(path));
    return;
  }
  const file = realFile(path, rules);
  const record = file === null ? null : reader.read(path, file);
  if (record === null) {
    if (known.has(path)) found.removed.push(path);
    return;
  }
  if (isNew(record, known)) found.changed.push(record);
}

function isNew(record: SourceRecord, known: ReadonlyMap<string, SourceRecord>): boolean {
  const before = known.get(record.sourcePath);
  return before === undefined || !isSameText(before, record);
}

/** Same bytes: a newer time alone changes nothing that anybody sees. */
function isSameText(a: SourceRecord, b: SourceRecord): boolean {
  if (a.hash !== "" || b.hash !== "") return a.hash === b.hash;
  return a.size === b.size && a.error?.code === b.error?.code;
}

/** The file with the links of its folders resolved; null when they lead out, or to what is no content. */
function realFile(path: string, rules: TreeRules): string | null {
  const root = realpathSync(rules.root);
  const folder = realpathSync(join(rules.root, folderOf(path)));
  if (folder === root) return join(root, nameOf(path));
  if (!folder.startsWith(`${root}${sep}`)) return null;
  const below = folder
    .slice(root.length + 1)
    .split(sep)
    .join("/");
  return isForeign(below, rules) ? null : join(folder, nameOf(path));
}

function* takeRemoved(path: string, { rules, known, found }: FileScope): Sliced<void> {
  if (known.has(path)) found.removed.push(path);
  else if (parseFileName(nameOf(path), rules) === null) {
    found.media.add(folderOf(path)).add(path);
    for (const other of known.beginningWith(`${path}/`)) found.removed.push(other);
  }
  yield;
}

function* takeFolder(path: string, { rules, known, found }: FileScope): Sliced<void> {
  // A link is followed by the walk of the folder it stands in.
  const folder = isLink(join(rules.root, path)) ? folderOf(path) : path;
  const kept = { records: known, folders: new Map(), check: "hash" as const, before: 0 };
  const tree = yield* readTree(rules, kept, folder);
  found.problems = [...(found.problems ?? []), ...tree.problems];
  found.media.add(folder);
  for (const record of tree.records.values()) if (isNew(record, known)) found.changed.push(record);
  if (tree.unreadable.length > 0) return;
  const prefix = folder === "" ? "" : `${folder}/`;
  for (const sourcePath of known.beginningWith(prefix)) {
    if (!tree.records.has(sourcePath)) found.removed.push(sourcePath);
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
